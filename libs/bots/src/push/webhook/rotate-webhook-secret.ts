import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { Bot } from '../../accounts/bot.entity.js';
import { lockBot } from '../../accounts/bots.queries.js';
import { recordBotChange } from '../../accounts/record-bot-change.js';
import { webhookSecretPurpose } from './webhook-secret.js';

/** The new secret, shown once, and when it was made. */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
}

/**
 * Gives a bot a new push signing secret (contract, "Bot push webhook"). Every later attempt of a push is signed with
 * it, whatever the delivery mode was meanwhile.
 * @throws 404 unknown, deleted or of another space
 */
export async function rotateWebhookSecret(
  db: Db,
  box: SecretBox,
  spaceId: string,
  botId: string,
  origin: Origin,
): Promise<RotatedSecret> {
  const signingSecret = newSigningSecret();
  const updatedAt = new Date();
  await runInTx(db, async (tx) => {
    const bot = await lockBot(tx, spaceId, botId);
    await tx.manager.update(
      Bot,
      { spaceId, id: botId },
      { webhookSecret: box.seal(signingSecret, webhookSecretPurpose(botId)), updatedAt },
    );
    await recordBotChange(tx, bot, { action: 'bot.webhook_secret_rotated', origin });
  });
  return { signingSecret, updatedAt };
}
