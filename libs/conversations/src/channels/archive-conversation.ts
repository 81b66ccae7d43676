import { rfc3339 } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import { appendChatEvent } from '../events/append-event.js';
import { lockConversation } from '../conversation.queries.js';
import type { Actor, Refused } from '../messages/create-message.js';
import { conversationData } from '../conversation.view.js';
import { hasOwnMembers } from '../members/membership.states.js';

/** Why nothing was archived. */
export type ArchiveRefusal = 'unknown_conversation' | 'unsupported_type';

/**
 * Closes a channel or voice chat for good: it stays readable, and nothing can be sent to it or its threads any more.
 * Appends CONVERSATION_ARCHIVED; an archived one is left as it is. Takes the conversation's lock until the end of the
 * transaction.
 *
 * @returns whether anything changed, or why it was refused
 */
export async function archiveConversation(
  tx: Tx,
  { spaceId, conversationId, actor }: { spaceId: string; conversationId: string; actor: Actor },
): Promise<{ changed: boolean } | Refused<ArchiveRefusal>> {
  const conversation = await lockConversation(tx, spaceId, conversationId, 'change');
  if (!conversation) return { refused: 'unknown_conversation' };
  if (!hasOwnMembers(conversation)) return { refused: 'unsupported_type' };
  if (conversation.archivedAt !== null) return { changed: false };
  const [row] = await tx.query<{ at: string }>(
    `UPDATE conversations c SET archived_at = clock_timestamp() WHERE space_id = $1 AND id = $2 RETURNING ${rfc3339('c.archived_at')} AS at`,
    [spaceId, conversationId],
  );
  const at = (row as { at: string }).at;
  await appendChatEvent(
    tx,
    conversation,
    { actor, at },
    {
      event_type: 'CONVERSATION_ARCHIVED',
      data: conversationData(conversation),
      message: undefined,
    },
  );
  return { changed: true };
}
