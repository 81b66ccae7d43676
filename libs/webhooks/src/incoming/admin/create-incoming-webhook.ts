import { Injectable } from '@nestjs/common';
import { requireChannels } from '@tieline/conversations';
import { Db, runInTx } from '@tieline/platform/database';
import { withDefaults } from '@tieline/platform/resource';
import { hashToken, newSigningSecret, newToken, SecretBox } from '@tieline/signing';
import { requireCapacity, SpaceLimitSettings } from '@tieline/spaces';
import type { ActingAdmin } from '@tieline/spaces';
import { uuidv7 } from 'uuidv7';
import { nativeSecretChange, recordIncomingChange } from './incoming-change.js';
import { INCOMING_SECRET, sealNativeSecret } from './incoming-secret.js';
import { INCOMING_WEBHOOK } from './incoming-webhook.js';
import type { NewIncomingSettings } from './incoming-webhook.js';
import { COUNT_INCOMING_WEBHOOKS } from './incoming-webhooks.statements.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { archivedChannel, noSuchChannel } from '../incoming-webhooks.errors.js';

/** Creates incoming webhooks. */
@Injectable()
export class CreateIncomingWebhook {
  constructor(
    private readonly db: Db,
    private readonly box: SecretBox,
    private readonly space: SpaceLimitSettings,
  ) {}

  /**
   * Returns the webhook with its token and signing secret, which cannot be read again later. The
   * signing secret exists even when the webhook does not require signatures.
   * @throws 400 for a conversation that is archived or not a channel of the space
   * @throws 409 `limit_reached` when the space has as many webhooks as its plan allows
   */
  async run(
    { spaceId, origin }: ActingAdmin,
    { nativeSecret = '', ...given }: NewIncomingSettings,
  ): Promise<{ webhook: IncomingWebhook; token: string; signingSecret: string }> {
    const settings = withDefaults(INCOMING_WEBHOOK, given);
    const [id, token, signingSecret, now] = [uuidv7(), newToken(), newSigningSecret(), new Date()];
    const webhook: IncomingWebhook = {
      ...settings,
      spaceId,
      id,
      nativeSecret: sealNativeSecret(this.box, id, nativeSecret),
      consecutiveFailures: 0,
      createdAt: now,
      updatedAt: now,
      deletedAt: null,
      previousSecretExpiresAt: null,
    };
    await runInTx(
      this.db,
      async (tx) => {
        await requireCapacity(tx, spaceId, {
          name: 'incoming webhooks',
          limits: this.space.limits.incoming_webhooks,
          count: COUNT_INCOMING_WEBHOOKS,
        });
        await requireChannels(tx, spaceId, [settings.conversationId], noSuchChannel, archivedChannel);
        await tx.manager.insert(IncomingWebhook, {
          ...webhook,
          tokenHash: hashToken(token),
          signingSecret: INCOMING_SECRET.seal(this.box, id, signingSecret),
        });
        await recordIncomingChange(tx, webhook, 'incoming_webhook.created', origin, {
          before: null,
          after: settings,
          ...nativeSecretChange(null, webhook.nativeSecret),
        });
      },
      { spaceId, place: 'incoming webhooks' },
    );
    return { webhook, token, signingSecret };
  }
}
