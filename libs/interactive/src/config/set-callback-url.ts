import { urlRefused } from '@tieline/egress';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { EgressPolicy } from '@tieline/egress';
import { newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import { sealSecret } from '../schema/signing/component-keys.js';
import { InteractiveConfig } from './interactive-config.entity.js';
import { ensureConfig, lockConfig } from './interactive-config.queries.js';
import { recordInteractiveChange } from './record-interactive-change.js';
import type { Requester } from './record-interactive-change.js';

/** Where clicks can go, and what signs them. */
export interface CallbackSettings {
  box: SecretBox;
  policy: EgressPolicy;
}

/**
 * Sets a bot's callback address (contract, Interactive). The first setup makes the buttons signing
 * secret; a later one keeps it, and after a DELETE the next one is a first setup again. Existing
 * buttons keep working, including those that a bot in poll mode signed with its internal key.
 * @returns the secret, when it was made now
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function setCallbackUrl(
  db: Db,
  { box, policy }: CallbackSettings,
  requester: Requester,
  callbackUrl: string,
): Promise<string | undefined> {
  // Resolves names: never inside the transaction.
  const verdict = await policy.checkUrlResolved(callbackUrl);
  if (!verdict.allowed) throw urlRefused('callback_url', verdict.reason);
  return runInTx(
    db,
    async (tx) => {
      const { spaceId, botId } = requester;
      // A row to lock: of two first setups at the same time one makes the secret.
      await ensureConfig(tx, box, spaceId, botId);
      const before = await lockConfig(tx, spaceId, botId);
      const secret = before?.signingSecret ? undefined : newSigningSecret();
      await tx.manager.update(
        InteractiveConfig,
        { spaceId, botId },
        {
          callbackUrl,
          updatedAt: new Date(),
          ...(secret !== undefined && { signingSecret: sealSecret(box, botId, secret) }),
        },
      );
      await recordInteractiveChange(tx, requester, 'bot.interactive_configured', {
        before: before?.callbackUrl ?? '',
        after: callbackUrl,
      });
      return secret;
    },
    { spaceId: requester.spaceId, place: requester.botId },
  );
}
