import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../events/append-event.js';
import { StoredConversation } from '../conversation.entity.js';
import { findConversation, lockConversation } from '../conversation.queries.js';
import type { Actor } from '../actors.js';
import type { Refusal, ChangeRefusal } from '../refusals.js';
import { conversationData } from '../events/event-conversation.js';
import { hasOwnMembers } from '../access/membership.states.js';

/**
 * Archives a channel or voice chat: it stays readable, but accepts no messages, nor do
 * its threads. Appends CONVERSATION_ARCHIVED. Does nothing if it is already archived. Takes the
 * conversation's lock until the end of the transaction.
 *
 * @returns whether anything changed, or why it was refused
 */
export async function archiveConversation(
  tx: Tx,
  { spaceId, conversationId, actor }: { spaceId: string; conversationId: string; actor: Actor },
): Promise<{ changed: boolean } | Refusal<ChangeRefusal>> {
  const conversation = await lockConversation(tx, spaceId, conversationId, 'change');
  if (!conversation) return { refused: 'unknown_conversation' };
  if (!hasOwnMembers(conversation)) return { refused: 'unsupported_type' };
  if (conversation.archivedAt !== null) return { changed: false };
  await tx.manager.update(
    StoredConversation,
    { spaceId, id: conversationId },
    { archivedAt: () => 'clock_timestamp()' },
  );
  // Reads the time back, because a Date would lose the microseconds.
  const archived = await findConversation(tx, spaceId, conversationId);
  await appendChatEvent(
    tx,
    conversation,
    { actor, at: archived?.archivedAt as string },
    { event_type: 'CONVERSATION_ARCHIVED', data: conversationData(conversation) },
  );
  return { changed: true };
}
