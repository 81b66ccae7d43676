import { Injectable } from '@nestjs/common';
import { requireChannels } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import { changesOf } from '@tieline/platform/resource';
import { SecretBox } from '@tieline/signing';
import type { ActingAdmin } from '@tieline/spaces';
import { nativeSecretChange, recordIncomingChange } from './incoming-change.js';
import { sealNativeSecret } from './incoming-secret.js';
import type { IncomingSettings, IncomingSettingsInput } from './incoming-webhook.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { archivedChannel, noSuchChannel } from '../incoming-webhooks.errors.js';
import { lockIncomingWebhook } from './incoming-webhooks.queries.js';

/** Updates settings of incoming webhooks. */
@Injectable()
export class UpdateIncomingWebhook {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
  ) {}

  /**
   * Updates the given settings. Enabling a disabled webhook resets its failure count.
   * @throws 404
   * @throws 400 for a conversation that is archived or not a channel of the space
   */
  run(
    { spaceId, origin }: ActingAdmin,
    id: string,
    { nativeSecret: secret, ...given }: IncomingSettingsInput,
  ): Promise<IncomingWebhook> {
    return runInTx(
      this.db,
      async (tx) => {
        const row = await lockIncomingWebhook(tx, spaceId, id);
        const changed = changesOf<IncomingSettings>(row, given);
        const nativeSecret = secret === undefined ? undefined : sealNativeSecret(this.box, id, secret);
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
}
