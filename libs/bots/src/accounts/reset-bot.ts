import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken, newSigningSecret, NO_PREVIOUS_SECRET } from '@tieline/signing';
import type { SecretBox } from '@tieline/signing';
import type { Origin } from '@tieline/spaces';
import { endPush } from '../push/end-push.js';
import { webhookSecretPurpose } from '../push/webhook/webhook-secret.js';
import { appendBotChanged } from './bot-changed.js';
import { Bot } from './bot.entity.js';
import { lockBot } from './bots.queries.js';
import { newBotToken } from './new-bot-token.js';
import { recordBotChange } from './record-bot-change.js';

/** The secrets of a reset bot, shown once. */
export interface ResetBot {
  token: string;
  webhookSigningSecret: string;
}

/**
 * Replaces a bot's token and clears what a holder of the old one may have set up: the mode becomes
 * `none`, the push address is removed and the push secret is replaced. Commands and interactive
 * settings follow `reset_at` by triggers of their libs (docs/security.md#when-a-token-was-stolen).
 * @throws 404 unknown, deleted or of another space
 */
export async function resetBot(
  { db, box }: { db: Db; box: SecretBox },
  spaceId: string,
  botId: string,
  origin: Origin,
): Promise<ResetBot> {
  const token = newBotToken();
  const webhookSigningSecret = newSigningSecret();
  await runInTx(
    db,
    async (tx) => {
      const bot = await lockBot(tx, spaceId, botId);
      const resetAt = new Date();
      const after: Bot = { ...bot, eventDeliveryMode: 'none', webhookUrl: '', updatedAt: resetAt };
      await tx.manager.update(
        Bot,
        { spaceId, id: botId },
        {
          ...{ eventDeliveryMode: after.eventDeliveryMode, webhookUrl: '', updatedAt: resetAt, resetAt },
          tokenHash: hashToken(token),
          ...NO_PREVIOUS_SECRET,
          webhookSecret: box.seal(webhookSigningSecret, webhookSecretPurpose(botId)),
        },
      );
      await recordBotChange(tx, bot, { action: 'bot.reset', origin, settings: { before: bot, after } });
      await appendBotChanged(tx, after);
      await endPush(tx, botId);
    },
    { spaceId, place: botId },
  );
  return { token, webhookSigningSecret };
}
