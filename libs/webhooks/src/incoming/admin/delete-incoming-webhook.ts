import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { NO_PREVIOUS_SECRET } from '@tieline/signing';
import type { ActingAdmin } from '@tieline/spaces';
import { recordIncomingChange } from './incoming-change.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { DELETE_REQUESTS } from '../requests/incoming-requests.statements.js';
import { DELETE_KEYS } from '../keyed/keyed.statements.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/**
 * Deletes a webhook with its token, secrets, request log and message keys. The webhook is then 404
 * for admins, its address answers 401, and its messages stay.
 * @throws 404 when it is unknown, already deleted, or belongs to another space
 */
export async function deleteIncomingWebhook(
  db: Db,
  { spaceId, origin }: ActingAdmin,
  id: string,
): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      const row = await lockIncomingWebhook(tx, spaceId, id);
      const now = new Date();
      await tx.manager.update(
        IncomingWebhook,
        { spaceId, id },
        {
          deletedAt: now,
          updatedAt: now,
          isActive: false,
          tokenHash: null,
          signingSecret: null,
          nativeSecret: null,
          ...NO_PREVIOUS_SECRET,
        },
      );
      await tx.query(DELETE_REQUESTS, [spaceId, id]);
      await tx.query(DELETE_KEYS, [spaceId, id]);
      await recordIncomingChange(tx, row, 'incoming_webhook.deleted', origin);
    },
    { spaceId, place: id },
  );
}
