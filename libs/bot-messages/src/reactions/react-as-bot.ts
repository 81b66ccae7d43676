import { chatErrors, reactToMessage } from '@tieline/conversations';
import { runInTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';

/**
 * Adds or removes the bot's reaction to a message. Repeating succeeds and emits no event.
 * @throws 404 unknown or of another space; 403 the bot is not a member, or the conversation is
 * archived; 410 deleted; 400 the message already has 50 other emoji
 */
export async function reactAsBot(
  db: Db,
  change: 'add' | 'remove',
  { spaceId, botId }: BotPrincipal,
  { messageId, emoji }: { messageId: string; emoji: string },
): Promise<void> {
  const reaction = { spaceId, messageId, actor: { id: botId, type: 'bot' as const }, emoji };
  const react = async (tx: Tx): Promise<void> => {
    const answer = await reactToMessage(tx, change, reaction);
    if ('refused' in answer) throw chatErrors.botRefused(answer.refused);
  };
  await runInTx(db, react, { spaceId, place: messageId });
}
