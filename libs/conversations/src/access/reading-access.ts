import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { Role } from '@tieline/spaces';
import { findConversation } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Membership } from '../conversation.view.js';
import { membershipOf } from './membership.queries.js';

/** The conversation that a caller wants to read. */
type Place = Pick<Conversation, 'scope' | 'channelId'>;

/**
 * People read public channels and every conversation they are a member of. Guests read only the
 * latter.
 */
export function personMayRead({ scope }: Pick<Place, 'scope'>, isMember: boolean, role: Role): boolean {
  return isMember || (scope === 'public' && role !== 'guest');
}

/**
 * Bots read public channels and every conversation they are a member of. A non-empty `channelIds`
 * limits channels and their threads, never direct chats. The same rule decides which events a bot
 * receives (docs/bots.md#rights).
 */
export function botMayRead(
  { scope, channelId }: Place,
  isMember: boolean,
  channelIds: readonly string[],
): boolean {
  if (scope === 'dm') return isMember;
  return (isMember || scope === 'public') && (channelIds.length === 0 || channelIds.includes(channelId));
}

/** A conversation and the reader's rights in it. */
export interface ReadingAccess extends Membership {
  conversation: Conversation;
  mayRead: boolean;
}

/**
 * Returns a conversation and the caller's rights in it, or undefined if the caller's space has no
 * such conversation.
 */
export async function readingAccess(
  q: Queryable,
  reader: BotPrincipal | UserPrincipal,
  conversationId: string,
): Promise<ReadingAccess | undefined> {
  const conversation = await findConversation(q, reader.spaceId, conversationId);
  if (!conversation) return undefined;
  const membership = await membershipOf(
    q,
    conversation,
    reader.kind === 'bot' ? reader.botId : reader.userId,
  );
  const mayRead =
    reader.kind === 'bot'
      ? botMayRead(conversation, membership.isMember, reader.channelIds)
      : personMayRead(conversation, membership.isMember, reader.role);
  return { conversation, ...membership, mayRead };
}
