import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken, newToken } from '@tieline/signing';
import type { ActingAdmin } from '@tieline/spaces';
import { recordIncomingChange } from './incoming-change.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/**
 * Replaces a webhook's token and returns the new one, which cannot be read again later. The old
 * address answers 401 as soon as the transaction commits. @throws 404
 */
export async function regenerateIncomingToken(
  db: Db,
  { spaceId, origin }: ActingAdmin,
  id: string,
): Promise<string> {
  const token = newToken();
  await runInTx(
    db,
    async (tx) => {
      const row = await lockIncomingWebhook(tx, spaceId, id);
      await tx.manager.update(
        IncomingWebhook,
        { spaceId, id },
        { tokenHash: hashToken(token), updatedAt: new Date() },
      );
      await recordIncomingChange(tx, row, 'incoming_webhook.token_regenerated', origin);
    },
    { spaceId, place: id },
  );
  return token;
}
