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

/** Seals secrets and checks addresses. */
export interface CallbackSettings {
  box: SecretBox;
  policy: EgressPolicy;
}

/**
 * Sets a bot's callback address. The first setup creates the signing secret for buttons, and later
 * changes keep it. After a DELETE the next setup is a first setup again. Existing buttons keep
 * working, including those a bot in poll mode signed with its internal key.
 * @returns the secret if this call created it
 * @throws 400 for an address that outgoing requests may not reach
 */
export async function setCallbackUrl(
  db: Db,
  { box, policy }: CallbackSettings,
  requester: Requester,
  callbackUrl: string,
): Promise<string | undefined> {
  // Resolves DNS, so it must not run inside the transaction.
  const verdict = await policy.checkUrlResolved(callbackUrl);
  if (!verdict.allowed) throw urlRefused('callback_url', verdict.reason);
  return runInTx(
    db,
    async (tx) => {
      const { spaceId, botId } = requester;
      // Creates the row to lock, so that of concurrent first setups one creates the secret.
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
