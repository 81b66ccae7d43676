import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { newSigningSecret, overlapping } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { Bot } from '../../accounts/bot.entity.js';
import { lockBot } from '../../accounts/bots.queries.js';
import { recordBotChange } from '../../accounts/record-bot-change.js';
import { webhookSecretPurpose } from './webhook-secret.js';

/**
 * A new secret, shown once, with its creation time and the expiry of the previous secret (null:
 * already expired).
 */
export interface RotatedSecret {
  signingSecret: string;
  updatedAt: Date;
  previousExpiresAt: Date | null;
}

/**
 * Replaces a bot's push signing secret. Every later attempt of a push is signed with it, and for
 * `overlapSeconds` also with the old one (docs/push.md#rotate-the-secret).
 * @throws 404 unknown, deleted or of another space
 */
export async function rotateWebhookSecret(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  botId: string,
  { origin, overlapSeconds }: { origin: Origin; overlapSeconds: number },
): Promise<RotatedSecret> {
  const signingSecret = newSigningSecret();
  const updatedAt = new Date();
  const previous = overlapping('webhook_secret', overlapSeconds, updatedAt);
  await runInTx(
    db,
    async (tx) => {
      const bot = await lockBot(tx, spaceId, botId);
      await tx.manager.update(
        Bot,
        { spaceId, id: botId },
        { ...previous, webhookSecret: box.seal(signingSecret, webhookSecretPurpose(botId)), updatedAt },
      );
      await recordBotChange(tx, bot, { action: 'bot.webhook_secret_rotated', origin });
    },
    { spaceId, place: botId },
  );
  return { signingSecret, updatedAt, previousExpiresAt: previous.previousSecretExpiresAt };
}
