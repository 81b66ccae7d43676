import { joinConversation as join } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { joinForbidden, joinImpossible } from '../bots.errors.js';
import { lockActiveBot } from '../accounts/bots.queries.js';

type JoinRefusal = Extract<Awaited<ReturnType<typeof join>>, { refused: string }>['refused'];

const REFUSALS: Readonly<Record<JoinRefusal, () => ApiError>> = {
  unknown_conversation: joinImpossible,
  unsupported_type: joinImpossible,
  private: joinForbidden,
  archived: joinForbidden,
};

/**
 * Adds the bot to a public channel or voice chat. Succeeds for one it is already a member of, even
 * if archived (docs/bots.md#join-a-channel).
 * @throws 400 unknown, foreign, thread, direct chat; 403 private or archived; 401 the bot has been
 * disabled in between
 */
export async function joinConversation(db: Db, bot: BotPrincipal, conversationId: string): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      await lockActiveBot(tx, bot);
      const joined = await join(tx, {
        spaceId: bot.spaceId,
        conversationId,
        member: { id: bot.botId, type: 'bot' },
      });
      if ('refused' in joined) throw REFUSALS[joined.refused]();
    },
    { spaceId: bot.spaceId, place: conversationId },
  );
}
