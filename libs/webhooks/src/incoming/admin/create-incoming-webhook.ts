import { requireChannels } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken, newSigningSecret, newToken } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { requireCapacity } from '@tieline/spaces';
import type { PlanLimit, Origin } from '@tieline/spaces';
import { v7 as uuidv7 } from 'uuid';
import { nativeSecretChange, recordIncomingChange } from './incoming-change.js';
import { sealIncomingSecret, sealNativeSecret } from './incoming-secret.js';
import { withDefaults } from './incoming-settings.js';
import type { NewIncomingSettings } from './incoming-settings.js';
import { COUNT_INCOMING_WEBHOOKS } from './incoming-webhooks.statements.js';
import { IncomingWebhook } from './incoming-webhook.entity.js';
import { archivedChannel, noSuchChannel } from '../incoming-webhooks.errors.js';

/**
 * Creates an incoming webhook. Returns its token and signing secret, which cannot be read again
 * later. The signing secret exists even when the webhook does not require signatures.
 * @throws 400 for a conversation that is archived or not a channel of the space
 * @throws 409 `limit_reached` when the space has as many webhooks as its plan allows
 */
export async function createIncomingWebhook(
  { db, box, limits }: { db: Db; box: SecretBox; limits: PlanLimit['limits'] },
  spaceId: string,
  given: NewIncomingSettings,
  origin: Origin,
): Promise<{ webhook: IncomingWebhook; token: string; signingSecret: string }> {
  const settings = withDefaults(given);
  const [id, token, signingSecret, now] = [uuidv7(), newToken(), newSigningSecret(), new Date()];
  const webhook: IncomingWebhook = {
    ...settings,
    spaceId,
    id,
    nativeSecret: sealNativeSecret(box, id, given.nativeSecret ?? ''),
    consecutiveFailures: 0,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  await runInTx(
    db,
    async (tx) => {
      await requireCapacity(tx, spaceId, {
        name: 'incoming webhooks',
        limits,
        count: COUNT_INCOMING_WEBHOOKS,
      });
      await requireChannels(tx, spaceId, [settings.conversationId], noSuchChannel, archivedChannel);
      await tx.manager.insert(IncomingWebhook, {
        ...webhook,
        tokenHash: hashToken(token),
        signingSecret: sealIncomingSecret(box, id, signingSecret),
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
