import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../events/append-event.js';
import { StoredConversation } from './conversation.entity.js';
import { findConversation, lockConversation } from '../conversation.queries.js';
import type { Actor, Refusal } from '../messages/create-message.js';
import { conversationData } from '../conversation.view.js';
import { hasOwnMembers } from '../members/membership.states.js';

/** Why a conversation was not archived. */
export type ArchiveRefusal = 'unknown_conversation' | 'unsupported_type';

/**
 * Archives a channel or voice chat permanently: it stays readable, but accepts no messages, nor do
 * its threads. Appends CONVERSATION_ARCHIVED. Does nothing if it is already archived. Takes the
 * conversation's lock until the end of the transaction.
 *
 * @returns whether anything changed, or why it was refused
 */
export async function archiveConversation(
  tx: Tx,
  { spaceId, conversationId, actor }: { spaceId: string; conversationId: string; actor: Actor },
): Promise<{ changed: boolean } | Refusal<ArchiveRefusal>> {
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
    {
      event_type: 'CONVERSATION_ARCHIVED',
      data: conversationData(conversation),
      message: undefined,
    },
  );
  return { changed: true };
}
