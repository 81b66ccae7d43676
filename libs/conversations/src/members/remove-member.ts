import type { Tx } from '@tieline/platform/database';
import type { MembershipChange } from './add-member.js';
import { appendMembersChanged } from '../events/append-event.js';
import { lockConversation } from '../conversation.queries.js';
import type { Refusal, ChangeRefusal } from '../refusals.js';
import { ConversationMember } from './conversation-member.entity.js';
import { REMOVE_MEMBER } from './member.statements.js';
import { hasOwnMembers } from '../access/membership.states.js';

/** A member to remove. The stored member row has its kind. */
export type MemberRemoval = Omit<MembershipChange, 'member'> & { memberId: string };

/**
 * Removes a person or bot from a channel or voice chat, archived or not, and appends
 * `conversation.members_changed`. The caller checks whether the actor may do this. Takes the
 * conversation's lock until the end of the transaction.
 *
 * @returns whether it was a member, or why it was refused
 */
export async function removeMember(
  tx: Tx,
  { spaceId, conversationId, memberId, actor }: MemberRemoval,
): Promise<{ changed: boolean } | Refusal<ChangeRefusal>> {
  const conversation = await lockConversation(tx, spaceId, conversationId, 'change');
  if (!conversation) return { refused: 'unknown_conversation' };
  if (!hasOwnMembers(conversation)) return { refused: 'unsupported_type' };
  const [gone] = await tx.query(REMOVE_MEMBER, [spaceId, conversationId, memberId]);
  if (!gone) return { changed: false };
  const place = { conversation, actor: actor ?? gone };
  await appendMembersChanged(tx, { spaceId, conversationId, joined: false }, [gone], place);
  return { changed: true };
}

/** Returns a member of a channel or voice chat, or undefined for non-members. */
export async function findMember(
  { manager }: Tx,
  { spaceId, conversationId, memberId }: Omit<MemberRemoval, 'actor'>,
): Promise<ConversationMember | undefined> {
  return (
    (await manager.findOneBy(ConversationMember, { spaceId, conversationId, id: memberId })) ?? undefined
  );
}
