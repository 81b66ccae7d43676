import { resolveReply, sendingAccess } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import { conversationRefused, threadNotFound } from '../../slash.errors.js';

/** Where somebody gives a command. */
export interface NamedPlace {
  spaceId: string;
  userId: string;
  conversationId: string;
  /** A message: its thread is meant. */
  threadId: string | undefined;
}

/**
 * Whether that person may give a command there (decisions, sections 5 and 8): a member, not
 * archived, and a message that is there when a thread is named. In a thread's own conversation the
 * command is given in that thread.
 * @returns the root message of the thread, or undefined
 * @throws 404 unknown conversation; 403 not a member, archived; 400 no such message
 */
export async function requirePlace(
  q: Queryable,
  { spaceId, userId, conversationId, threadId }: NamedPlace,
): Promise<string | undefined> {
  const access = await sendingAccess(q, { spaceId, conversationId, author: { id: userId } });
  if (access.refused !== undefined) throw conversationRefused(access.refused);
  if (threadId === undefined) return access.conversation.rootMessageId ?? undefined;
  const reply = await resolveReply(q, spaceId, access.conversation, threadId);
  if (!reply) throw threadNotFound();
  return reply.rootMessageId;
}
