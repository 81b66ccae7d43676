import { chatAccess, resolveReply } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import { conversationRefused, threadNotFound } from '../../slash.errors.js';

/** The person and the conversation of an invocation. */
export interface InvocationPlace {
  spaceId: string;
  userId: string;
  conversationId: string;
  /** A message; the command runs in its thread. */
  threadId: string | undefined;
}

/**
 * Requires that the person can run a command there: they must be a member, the conversation must
 * not be archived, and the message of a thread must exist. In a thread's own conversation the
 * command runs in that thread.
 * @returns the root message of the thread, or undefined
 * @throws 404 unknown conversation; 403 not a member, archived; 400 no such message
 */
export async function requirePlace(
  q: Queryable,
  { spaceId, userId, conversationId, threadId }: InvocationPlace,
): Promise<string | undefined> {
  const access = await chatAccess.sending(q, { spaceId, conversationId, author: { id: userId } });
  if (access.refused !== undefined) throw conversationRefused(access.refused);
  if (threadId === undefined) return access.conversation.rootMessageId ?? undefined;
  const reply = await resolveReply(q, spaceId, access.conversation, threadId);
  if (!reply) throw threadNotFound();
  return reply.rootMessageId;
}
