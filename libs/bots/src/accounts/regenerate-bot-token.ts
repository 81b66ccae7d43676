import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { Bot } from './bot.entity.js';
import { appendBotTokenRevoked } from './bot-token-revoked.js';
import { lockBot } from './bots.queries.js';
import { recordBotChange } from './record-bot-change.js';
import type { ChangedBot } from './record-bot-change.js';
import { newBotToken } from './new-bot-token.js';

/**
 * Replaces a bot's token. The old one is revoked immediately, and the app of the bot gets an event
 * (docs/apps.md#bots-of-apps).
 * @returns the token, shown once
 * @throws 404 unknown, deleted or of another space
 */
export async function regenerateBotToken(db: Db, { spaceId, botId, origin }: ChangedBot): Promise<string> {
  const token = newBotToken();
  await runInTx(
    db,
    async (tx) => {
      const bot = await lockBot(tx, spaceId, botId);
      await tx.manager.update(
        Bot,
        { spaceId, id: botId },
        { tokenHash: hashToken(token), tokenExpiresAt: null, updatedAt: new Date() },
      );
      await recordBotChange(tx, bot, { action: 'bot.token_regenerated', origin });
      await appendBotTokenRevoked(tx, bot, origin);
    },
    { spaceId, place: botId },
  );
  return token;
}
