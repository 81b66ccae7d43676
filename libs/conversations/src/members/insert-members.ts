import type { Tx } from '@tieline/platform/database';
import { appendMembersChanged } from '../events/append-event.js';
import type { MembersPlace } from '../events/append-event.js';
import type { MemberType } from '../actors.js';
import { INSERT_MEMBERS } from './member.statements.js';

/** Members to add to a channel or direct chat. */
export interface NewMembers {
  spaceId: string;
  conversationId: string;
  members: readonly { id: string; type: MemberType }[];
}

/** Result of {@link insertMembers}. */
export interface InsertedMembers {
  /** Ids that were not members before. */
  ids: string[];
  /**
   * Appends `conversation.members_changed` for each of them.
   * @param place the conversation and the actor; absent for direct chats
   */
  announce(place?: MembersPlace): Promise<void>;
}

/**
 * Inserts members, and adds the bots among them to the conversation's row. The caller created that
 * row in this transaction or holds its `change` lock, and calls `announce` at the right position
 * among its events.
 */
export async function insertMembers(
  tx: Tx,
  { spaceId, conversationId, members }: NewMembers,
): Promise<InsertedMembers> {
  const rows = await tx.query(INSERT_MEMBERS, {
    spaceId,
    conversationId,
    memberIds: members.map(({ id }) => id),
    memberTypes: members.map(({ type }) => type),
  });
  return {
    ids: rows.map(({ id }) => id),
    announce: (place) => appendMembersChanged(tx, { spaceId, conversationId, joined: true }, rows, place),
  };
}
