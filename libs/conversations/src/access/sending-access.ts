import type { Queryable } from '@tieline/platform/database';
import { findConversation, isMember } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';

/** Why somebody may not write into a conversation. */
export type SendingRefusal = 'unknown_conversation' | 'not_member' | 'archived';

/** Who wants to write where. */
export interface SendingRequest {
  spaceId: string;
  conversationId: string;
  author: { id: string };
  access?: 'member' | 'granted';
}

export type SendingAccess =
  { conversation: Conversation; refused?: undefined } | { conversation?: undefined; refused: SendingRefusal };

/**
 * Whether that author may write into that conversation now: it exists in the space, the author is a
 * member of its channel (unless access was granted otherwise) and it is not archived; in this
 * order, so that strangers learn nothing.
 */
export async function sendingAccess(
  q: Queryable,
  { spaceId, conversationId, author, access }: SendingRequest,
): Promise<SendingAccess> {
  const conversation = await findConversation(q, spaceId, conversationId);
  if (!conversation) return { refused: 'unknown_conversation' };
  if (access !== 'granted' && !(await isMember(q, spaceId, conversation.channelId, author.id)))
    return { refused: 'not_member' };
  return conversation.archivedAt === null ? { conversation } : { refused: 'archived' };
}
