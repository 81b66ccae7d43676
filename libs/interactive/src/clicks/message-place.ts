import { chatAccess, chatErrors, findMessage } from '@tieline/conversations';
import type { Conversation, Message } from '@tieline/conversations';
import type { Queryable } from '@tieline/platform/database';
import { rateLimited } from '@tieline/platform/http';
import type { UserPrincipal } from '@tieline/platform/http';
import type { RateLimiter, RateRule } from '@tieline/rate-limit';
import { findEphemeral } from '../ephemeral/ephemeral.queries.js';
import { modalNotFound } from '../interactive.errors.js';

/** A message and its conversation. */
interface MessagePlace {
  message: Message;
  conversation: Conversation;
}

/**
 * Returns the message that a person acts on: a stored message, or an ephemeral message that was
 * shown to them.
 * @throws 404 unknown; 403 not readable, not a member of the conversation
 */
export async function requirePlace(
  q: Queryable,
  user: UserPrincipal,
  messageId: string,
): Promise<MessagePlace> {
  const message =
    (await findMessage(q, user.spaceId, messageId)) ??
    (await findEphemeral(q, user.spaceId, user.userId, messageId));
  const access = message && (await chatAccess.reading(q, user, message.conversationId));
  if (!message || !access) throw chatErrors.messageNotFound();
  if (!access.mayRead) throw chatErrors.notReadable();
  if (!access.isMember) throw chatErrors.notMember();
  return { message, conversation: access.conversation };
}

/**
 * Requires a message that is not deleted, in a conversation that is not archived. @throws 410
 * deleted; 403 archived
 */
export function requireLivePlace({ message, conversation }: MessagePlace): void {
  if (message.deletedAt !== null) throw chatErrors.messageDeleted();
  requireUnarchived(conversation);
}

/** @throws 403 */
export function requireUnarchived({ archivedAt }: Conversation): void {
  if (archivedAt !== null) throw chatErrors.conversationArchived();
}

/**
 * Returns the conversation of a command that opened a modal. @throws 404 unknown; 403 not a member,
 * archived
 */
export async function requireConversation(
  q: Queryable,
  user: UserPrincipal,
  conversationId: string,
): Promise<Conversation> {
  const access = await chatAccess.reading(q, user, conversationId);
  if (!access) throw modalNotFound();
  if (!access.isMember) throw chatErrors.notMember();
  return access.conversation;
}

/**
 * Counts an interaction against the rate limits. Every authenticated click counts, including
 * refused ones. @throws 429
 */
export async function countInteraction(limiter: RateLimiter, rules: RateRule[]): Promise<void> {
  const decision = await limiter.consume(rules);
  if (!decision.allowed) throw rateLimited(decision.retryAfterSeconds);
}
