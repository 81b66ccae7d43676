import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../../events/append-event.js';
import { isMember } from '../../access/membership.queries.js';
import { lockConversationOfMessage } from '../../conversation.queries.js';
import type { MemberType } from '../../actors.js';
import type { Refusal, ReactionRefusal } from '../../refusals.js';
import { findMessageToChange } from '../message.queries.js';
import { MARK_CHANGED } from '../stored-message.statements.js';
import { storedSpellings } from './emoji.js';
import { ADD_REACTION, REMOVE_REACTION } from './reaction.statements.js';

/** A reaction of a person or bot to a message. */
export interface Reaction {
  spaceId: string;
  messageId: string;
  actor: { id: string; type: MemberType };
  /** As `normalizeEmoji` returns it. */
  emoji: string;
}

/** Maximum number of different emoji on one message. */
const MAX_EMOJIS = 50;

/**
 * Adds or removes a reaction and appends REACTION_ADDED or REACTION_REMOVED. Adding an existing
 * reaction or removing a missing one changes nothing and emits no event. Takes the conversation's
 * row lock until the end of the transaction.
 *
 * @returns whether anything changed, or why it was refused
 */
export async function reactToMessage(
  tx: Tx,
  change: 'add' | 'remove',
  reaction: Reaction,
): Promise<{ changed: boolean } | Refusal<ReactionRefusal>> {
  const { spaceId, messageId, actor } = reaction;
  const conversation = await lockConversationOfMessage(tx, spaceId, messageId);
  const found = conversation && (await findMessageToChange(tx, conversation, messageId));
  if (!found) return { refused: 'unknown_message' };
  if (!(await isMember(tx, spaceId, conversation.channelId, actor.id))) return { refused: 'not_member' };
  if (conversation.archivedAt !== null) return { refused: 'archived' };
  if (found.message.deletedAt !== null) return { refused: 'deleted' };
  const shown = await write(tx, change, reaction);
  if (shown === 'too_many_reactions') return { refused: shown };
  if (shown === undefined) return { changed: false };
  await tx.query(MARK_CHANGED, [spaceId, messageId, found.now]);
  await appendChatEvent(
    tx,
    conversation,
    { actor, at: found.now },
    {
      event_type: change === 'add' ? 'REACTION_ADDED' : 'REACTION_REMOVED',
      data: {
        message_id: messageId,
        conversation_id: conversation.id,
        emoji: shown.emoji,
        user_id: actor.id,
      },
    },
  );
  return { changed: true };
}

/**
 * Writes the change.
 * @returns the stored emoji, or undefined if nothing changed
 */
async function write(
  tx: Tx,
  change: 'add' | 'remove',
  { spaceId, messageId, emoji, actor }: Reaction,
): Promise<{ emoji: string } | 'too_many_reactions' | undefined> {
  const given = { spaceId, messageId, userId: actor.id, spellings: storedSpellings(emoji) };
  if (change === 'remove') return (await tx.query(REMOVE_REACTION, given))[0];
  const [added] = await tx.query(ADD_REACTION, { ...given, emoji, maxEmojis: MAX_EMOJIS });
  if (added?.room === false) return 'too_many_reactions';
  return added?.changed === true ? added : undefined;
}
