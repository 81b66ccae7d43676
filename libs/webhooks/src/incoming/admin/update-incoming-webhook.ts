import { requireChannels } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { nativeSecretChange, recordIncomingChange } from './incoming-change.js';
import { sealNativeSecret } from './incoming-secret.js';
import { changedSettings } from './incoming-settings.js';
import type { IncomingSettingsInput } from './incoming-settings.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { archivedChannel, noSuchChannel } from '../incoming-webhooks.errors.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/**
 * Updates the given settings. Enabling a disabled webhook resets its failure count.
 * @throws 404
 * @throws 400 for a conversation that is archived or not a channel of the space
 */
export async function updateIncomingWebhook(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  id: string,
  given: IncomingSettingsInput,
  origin: Origin,
): Promise<IncomingWebhook> {
  return runInTx(
    db,
    async (tx) => {
      const row = await lockIncomingWebhook(tx, spaceId, id);
      const changed = changedSettings(row, given);
      const { nativeSecret: secret } = given;
      const nativeSecret = secret === undefined ? undefined : sealNativeSecret(box, id, secret);
      const secretChange = nativeSecretChange(row.nativeSecret, nativeSecret);
      if (Object.keys({ ...changed, ...secretChange }).length === 0) return row;
      if (changed.conversationId !== undefined)
        await requireChannels(tx, spaceId, [changed.conversationId], noSuchChannel, archivedChannel);
      const update = {
        ...changed,
        ...(nativeSecret !== undefined && { nativeSecret }),
        updatedAt: new Date(),
        ...(changed.isActive === true && { consecutiveFailures: 0 }),
      };
      await tx.manager.update(IncomingWebhook, { spaceId, id }, update);
      await recordIncomingChange(tx, row, 'incoming_webhook.updated', origin, {
        before: row,
        after: changed,
        ...secretChange,
      });
      return { ...row, ...update };
    },
    { spaceId, place: id },
  );
}
