import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { NO_PREVIOUS_SECRET } from '@tieline/signing';
import type { ActingAdmin } from '@tieline/spaces';
import { killSubscriptionDeliveries } from '../deliveries/kill-subscription-deliveries.js';
import { OutgoingWebhook } from './outgoing-webhook.entity.js';
import { lockSubscription } from './outgoing-webhooks.queries.js';
import { publishSubscription, recordSubscriptionChange } from './subscription-change.js';

/**
 * Deletes a subscription and its secret. Its pending deliveries are closed as dead.
 * @throws 404 when it is unknown, already deleted, or belongs to another space
 */
export async function deleteOutgoingWebhook(
  db: Db,
  { spaceId, origin }: ActingAdmin,
  id: string,
): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const row = await lockSubscription(tx, spaceId, id);
      const now = new Date();
      await tx.manager.update(
        OutgoingWebhook,
        { spaceId, id },
        { deletedAt: now, updatedAt: now, signingSecret: null, ...NO_PREVIOUS_SECRET },
      );
      await recordSubscriptionChange(tx, row, 'outgoing_webhook.deleted', origin);
      await publishSubscription(tx, row, null);
      await killSubscriptionDeliveries(tx, row);
    },
    { spaceId, place: id },
  );
}
