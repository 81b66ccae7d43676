import type { Tx } from '@tieline/platform/database';
import { isMember } from '../access/membership.queries.js';
import { lockConversation } from '../conversation.queries.js';
import type { Member, Actor } from '../actors.js';
import type { Refusal, AddRefusal } from '../refusals.js';
import { insertMembers } from './insert-members.js';
import { hasOwnMembers } from '../access/membership.states.js';

/** A member who joins or leaves a channel or voice chat. */
export interface MembershipChange {
  spaceId: string;
  conversationId: string;
  /** The caller has already looked the member up in the space (`MemberDirectory`). */
  member: Member;
  /** Who made the change, if not the member. */
  actor?: Actor;
}

/**
 * Adds a person or bot and appends `conversation.members_changed`. Does nothing for existing
 * members. The caller checks whether the actor may do this. Takes the conversation's lock until the
 * end of the transaction.
 *
 * @returns whether anything changed, or why it was refused: direct chats and threads have no
 * members to add
 */
export async function addMember(
  tx: Tx,
  change: MembershipChange,
): Promise<{ changed: boolean } | Refusal<AddRefusal>> {
  return addOrJoin(tx, change, true);
}

/**
 * Like {@link addMember}, on the new member's own initiative: possible in public channels and voice
 * chats only.
 */
export async function joinConversation(
  tx: Tx,
  change: MembershipChange,
): Promise<{ changed: boolean } | Refusal<AddRefusal | 'private'>> {
  return addOrJoin(tx, change, false);
}

async function addOrJoin(
  tx: Tx,
  change: MembershipChange,
  invited: false,
): Promise<{ changed: boolean } | Refusal<AddRefusal | 'private'>>;
async function addOrJoin(
  tx: Tx,
  change: MembershipChange,
  invited: true,
): Promise<{ changed: boolean } | Refusal<AddRefusal>>;
async function addOrJoin(
  tx: Tx,
  { spaceId, conversationId, member, actor = member }: MembershipChange,
  invited: boolean,
): Promise<{ changed: boolean } | Refusal<AddRefusal | 'private'>> {
  const conversation = await lockConversation(tx, spaceId, conversationId, 'change');
  if (!conversation) return { refused: 'unknown_conversation' };
  if (!hasOwnMembers(conversation)) return { refused: 'unsupported_type' };
  // Succeeds for existing members, even where joining is no longer possible.
  if (await isMember(tx, spaceId, conversationId, member.id)) return { changed: false };
  if (!invited && conversation.scope !== 'public') return { refused: 'private' };
  if (conversation.archivedAt !== null) return { refused: 'archived' };
  const joined = await insertMembers(tx, { spaceId, conversationId, members: [member] });
  await joined.announce({ conversation, actor });
  return { changed: true };
}
