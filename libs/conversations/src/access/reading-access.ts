import type { Queryable } from '@tieline/platform/database';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import type { Role } from '@tieline/spaces';
import { findConversation } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import type { Membership } from '../conversation.view.js';
import { FIND_MEMBERSHIP } from '../members/member.statements.js';

/** Where somebody wants to read. */
type Place = Pick<Conversation, 'scope' | 'channelId'>;

/**
 * People read public channels freely and everything they are a member of; guests only the latter.
 */
export function personMayRead({ scope }: Pick<Place, 'scope'>, isMember: boolean, role: Role): boolean {
  return isMember || (scope === 'public' && role !== 'guest');
}

/**
 * Bots read public channels, and private ones and direct chats that they are a member of;
 * `channelIds` (empty = all) narrows channels and their threads, never direct chats (decisions,
 * section 3). The same rule decides about events.
 */
export function botMayRead(
  { scope, channelId }: Place,
  isMember: boolean,
  channelIds: readonly string[],
): boolean {
  if (scope === 'dm') return isMember;
  return (isMember || scope === 'public') && (channelIds.length === 0 || channelIds.includes(channelId));
}

/** Whether somebody is a member of the conversation's channel, and muted it. */
export async function membershipOf(
  q: Queryable,
  { spaceId, channelId }: Pick<Conversation, 'spaceId' | 'channelId'>,
  memberId: string,
): Promise<Membership> {
  const [row] = await q.query(FIND_MEMBERSHIP, [spaceId, channelId, memberId]);
  return { isMember: row !== undefined, muted: row?.muted ?? false };
}

/** A conversation as one reader finds it. */
export interface ReadingAccess extends Membership {
  conversation: Conversation;
  mayRead: boolean;
}

/**
 * What the caller may see of a conversation; undefined when the caller's space has none of this id.
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
