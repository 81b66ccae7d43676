import { findConversation, isMember } from '@tieline/conversations';
import type { Tx } from '@tieline/platform/database';
import type { InteractionContext } from '../delivery/interaction-context.js';
import { botNotInConversation } from '../interactive.errors.js';
import type { Effect } from './answer-applier.js';

/** Where an answer takes effect that nobody waits for any more: its people may have changed. */
type AnswerPlace = Pick<InteractionContext, 'spaceId' | 'conversationId' | 'botId' | 'userId'>;

/**
 * A bot that was removed from a private conversation changes nothing there any more and tells
 * nobody anything.
 * @param isGranted a command lets the bot answer where it is no member
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
  if (!conversation || !(await isMember(tx, spaceId, conversation.channelId, botId)))
    throw botNotInConversation();
}

/**
 * Who has left the conversation is shown no ephemeral message of it. Call it before the commit.
 * @throws 403
 */
export async function requirePersonAccess(
  tx: Tx,
  { spaceId, conversationId, userId }: AnswerPlace,
  effect: Effect,
): Promise<void> {
  const isShown = effect.result === 'ephemeral' || ('shown' in effect && effect.shown !== undefined);
  if (!isShown) return;
  const conversation = await findConversation(tx, spaceId, conversationId);
  if (!conversation || !(await isMember(tx, spaceId, conversation.channelId, userId)))
    throw botNotInConversation();
}
