import { joinConversation as join } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { ApiError, BotPrincipal } from '@tieline/platform/http';
import { joinForbidden, joinImpossible } from '../bots.errors.js';
import { holdActiveBot } from '../accounts/bots.queries.js';

type JoinRefusal = Extract<Awaited<ReturnType<typeof join>>, { refused: string }>['refused'];

const REFUSALS: Readonly<Record<JoinRefusal, () => ApiError>> = {
  unknown_conversation: joinImpossible,
  unsupported_type: joinImpossible,
  private: joinForbidden,
  archived: joinForbidden,
};

/**
 * Makes the bot a member of a public channel or voice chat; one that it is a member of already
 * stays so, whatever its state (contract, "Bot self and channels"; decisions, section 3).
 * @throws 400 unknown, foreign, thread, DM; 403 private or archived; 401 the bot was switched off
 * meanwhile
 */
export async function joinConversation(db: Db, bot: BotPrincipal, conversationId: string): Promise<void> {
  await runInTx(
    db,
    async (tx) => {
      await holdActiveBot(tx, bot);
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
