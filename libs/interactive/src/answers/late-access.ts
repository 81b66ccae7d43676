import { chatAccess, chatErrors, findConversation } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../interactions/interaction-context.js';
import type { Effect } from './answer-applier.js';

/**
 * The conversation and people of an answer that no caller waits for. Memberships may have changed
 * since the interaction.
 */
type AnswerPlace = Pick<InteractionContext, 'spaceId' | 'conversationId' | 'botId' | 'userId'>;

/**
 * Requires that the bot still has access: a bot removed from a private conversation can no longer
 * change or post anything there.
 * @param isGranted whether a command lets the bot answer without being a member
 * @throws 403
 */
export async function requireBotAccess(
  tx: Tx,
  { spaceId, conversationId, botId }: AnswerPlace,
  isGranted: boolean,
): Promise<void> {
  if (isGranted) return;
  const conversation = await findConversation(tx, spaceId, conversationId);
  if (conversation?.scope === 'public') return;
  if (!conversation || !(await chatAccess.isMember(tx, spaceId, conversation.channelId, botId)))
    throw chatErrors.botNotInConversation();
}

/**
 * Requires membership if the effect shows an ephemeral message: people who left the conversation
 * get none. Call it before the commit.
 * @throws 403
 */
export async function requirePersonAccess(tx: Tx, place: AnswerPlace, effect: Effect): Promise<void> {
  const isShown = effect.result === 'ephemeral' || ('shown' in effect && effect.shown !== undefined);
  if (isShown) await requirePersonMembership(tx, place);
}

/** Requires that the person is still a member of the conversation. @throws 403 */
export async function requirePersonMembership(
  tx: Tx,
  { spaceId, conversationId, userId }: AnswerPlace,
): Promise<void> {
  const conversation = await findConversation(tx, spaceId, conversationId);
  if (!conversation || !(await chatAccess.isMember(tx, spaceId, conversation.channelId, userId)))
    throw chatErrors.botNotInConversation();
}
