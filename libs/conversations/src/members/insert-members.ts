import type { Tx } from '@tieline/platform/database';
import { appendMembersChanged } from '../events/append-event.js';
import type { MembersPlace } from '../events/append-event.js';
import type { MemberType } from '../events/chat-event.js';
import { INSERT_MEMBERS } from './member.statements.js';

/** New members of one channel or direct chat. */
export interface Joining {
  spaceId: string;
  conversationId: string;
  members: readonly { id: string; type: MemberType }[];
}

/** What {@link insertMembers} did. */
export interface Joined {
  /** Ids of those who were no members before. */
  ids: string[];
  /**
   * Appends their `conversation.members_changed`. @param place where and by whom; not for direct
   * chats
   */
  announce(place?: MembersPlace): Promise<void>;
}

/**
 * Writes members, and the bots among them into the conversation's row. The caller has made that row
 * in this transaction or holds its `change` lock, and announces the members at the right place
 * among its events.
 */
export async function insertMembers(tx: Tx, { spaceId, conversationId, members }: Joining): Promise<Joined> {
  const rows = await tx.query(INSERT_MEMBERS, [
    spaceId,
    conversationId,
    members.map(({ id }) => id),
    members.map(({ type }) => type),
  ]);
  return {
    ids: rows.map(({ id }) => id),
    announce: (place) => appendMembersChanged(tx, { spaceId, conversationId, joined: true }, rows, place),
  };
}
