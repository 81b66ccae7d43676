import { openDirectConversation } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { findActiveUsers } from '@tieline/spaces';
import { userNotFound } from '../bots.errors.js';
import { lockActiveBot } from '../accounts/bots.queries.js';

/**
 * Opens the direct conversation of the bot with a person of its space, or returns the existing one.
 * @returns the conversation's id
 * @throws 400 `user not found` for a bot (itself included), or a deactivated or foreign person; 401
 * the bot has been disabled in between
 */
export async function openDm(db: Db, bot: BotPrincipal, userId: string): Promise<string> {
  return runInTx(
    db,
    async (tx) => {
      await lockActiveBot(tx, bot);
      const [person] = await findActiveUsers(tx, bot.spaceId, [userId]);
      if (person === undefined) throw userNotFound();
      return openDirectConversation(tx, {
        spaceId: bot.spaceId,
        a: { id: bot.botId, type: 'bot' },
        b: { id: person, type: 'user' },
      });
    },
    { spaceId: bot.spaceId, place: bot.botId },
  );
}
