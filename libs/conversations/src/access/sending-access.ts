import type { Queryable } from '@tieline/platform/database';
import { findConversation } from '../conversation.queries.js';
import { isMember } from './membership.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { SendingRefusal } from '../refusals.js';

/** An author and the conversation they want to write to. */
export interface SendingRequest {
  spaceId: string;
  conversationId: string;
  author: { id: string };
  access?: 'member' | 'granted';
}

export type SendingAccess =
  { conversation: Conversation; refused?: undefined } | { conversation?: undefined; refused: SendingRefusal };

/**
 * Checks whether an author may write to a conversation: it exists in the space, the author is a
 * member of its channel (unless access is `granted`), and it is not archived. The checks run in
 * this order, so that non-members learn nothing about the conversation.
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
