import type { Queryable } from '@tieline/platform/database';
import type { Conversation } from '../conversation.queries.js';
import type { Membership } from '../conversation.view.js';
import { FIND_MEMBERSHIP } from './membership.statements.js';

/**
 * Returns whether a person or bot is a member of a channel or direct chat. For a thread, pass its
 * `channelId`.
 */
export async function isMember(
  q: Queryable,
  spaceId: string,
  channelId: string,
  memberId: string,
): Promise<boolean> {
  return (await q.query(FIND_MEMBERSHIP, [spaceId, channelId, memberId])).length > 0;
}

/**
 * Returns whether a person or bot is a member of the conversation's channel, and whether they muted
 * it.
 */
export async function membershipOf(
  q: Queryable,
  { spaceId, channelId }: Pick<Conversation, 'spaceId' | 'channelId'>,
  memberId: string,
): Promise<Membership> {
  const [row] = await q.query(FIND_MEMBERSHIP, [spaceId, channelId, memberId]);
  return { isMember: row !== undefined, muted: row?.muted ?? false };
}
