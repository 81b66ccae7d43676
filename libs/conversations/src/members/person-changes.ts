import type { Queryable, Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { roleMay } from '@tieline/spaces';
import { addMember, joinConversation } from './add-member.js';
import { archiveConversation } from '../archive-conversation.js';
import type { MemberType } from '../events/chat-event.js';
import type { Conversation } from '../conversation.queries.js';
import {
  accepted,
  memberNotFound,
  notAllowed,
  notMember,
  threadsHaveNoMute,
  unsupportedType,
  userNotFound,
} from '../conversations.errors.js';
import { createConversation } from '../create-conversation.js';
import type { NewConversation } from '../create-conversation.js';
import type { MemberDirectory } from './member-directory.js';
import { hasOwnMembers, mayAddMembers, mayArchive, mayRemoveMember } from './membership.states.js';
import type { ChannelActor } from './membership.states.js';
import { muteConversation } from './mute-conversation.js';
import { openDirectConversation } from '../dm/open-direct-conversation.js';
import { removeMember } from './remove-member.js';
import { requireReadable } from '../access/require-readable.js';

/* What people do to conversations: their rights, around the writes that everybody shares (decisions, section 8). */

/** The wishes of a person who makes a channel. */
export type WantedConversation = Pick<NewConversation, 'type' | 'name' | 'isPublic'> & {
  memberIds: string[];
};

/** Makes a channel or voice chat. @throws 403 for guests; 400 when somebody named is not of the space */
export async function createAsPerson(
  tx: Tx,
  directory: MemberDirectory,
  { spaceId, userId, role }: UserPrincipal,
  { memberIds, ...wanted }: WantedConversation,
): Promise<Conversation> {
  if (!roleMay(role, 'create_channel')) throw notAllowed();
  const found = await directory.find(tx, spaceId, memberIds);
  const members = [...new Set(memberIds)].map((id) => ({ id, type: typeOf(found, id) }));
  return createConversation(tx, { ...wanted, spaceId, createdBy: userId, members });
}

/** Joins a public channel; repeating is fine. @throws 400, 403, 404 */
export async function joinAsPerson(tx: Tx, caller: UserPrincipal, conversationId: string): Promise<void> {
  const { spaceId, userId, role } = caller;
  // Guests come in only where somebody brings them in; that they are there already is fine.
  if (!roleMay(role, 'join_public_channel')) await requireReadable(tx, caller, conversationId);
  accepted(await joinConversation(tx, { spaceId, conversationId, member: { id: userId, type: 'user' } }));
}

/** Brings a person or bot into a channel. @throws 400 not of the space, direct chat or thread; 403 no member, guest, archived; 404 */
export async function inviteMember(
  tx: Tx,
  members: MemberDirectory,
  caller: UserPrincipal,
  conversationId: string,
  memberId: string,
): Promise<void> {
  const { actor } = await requireChannel(tx, caller, conversationId);
  if (!actor.isMember) throw notMember();
  if (!mayAddMembers(actor)) throw notAllowed();
  const found = await members.find(tx, caller.spaceId, [memberId]);
  accepted(
    await addMember(tx, {
      spaceId: caller.spaceId,
      conversationId,
      member: { id: memberId, type: typeOf(found, memberId) },
    }),
  );
}

/** Takes a person or bot out of a channel. @throws 400 direct chat or thread; 403 see mayRemoveMember; 404 also when that is no member */
export async function expelMember(
  tx: Tx,
  caller: UserPrincipal,
  conversationId: string,
  memberId: string,
): Promise<void> {
  const { conversation, actor } = await requireChannel(tx, caller, conversationId);
  const [member] = await tx.query<{ id: string; type: MemberType }>(
    'SELECT member_id AS id, member_type AS type FROM conversation_members WHERE space_id = $1 AND conversation_id = $2 AND member_id = $3',
    [caller.spaceId, conversationId, memberId],
  );
  if (!mayRemoveMember(actor, conversation, member ?? { id: memberId, type: 'bot' })) throw notAllowed();
  if (!member) throw memberNotFound();
  accepted(await removeMember(tx, { spaceId: caller.spaceId, conversationId, memberId }));
}

/** Leaves a channel; repeating is fine. @throws 400 direct chat or thread; 404 */
export async function leaveAsPerson(
  tx: Tx,
  { spaceId, userId }: UserPrincipal,
  conversationId: string,
): Promise<void> {
  accepted(await removeMember(tx, { spaceId, conversationId, memberId: userId }));
}

/** Archives a channel; repeating is fine. @throws 400 direct chat or thread; 403 see mayArchive; 404 */
export async function archiveAsPerson(tx: Tx, caller: UserPrincipal, conversationId: string): Promise<void> {
  const { conversation, actor } = await requireChannel(tx, caller, conversationId);
  if (!mayArchive(actor, conversation)) throw notAllowed();
  accepted(
    await archiveConversation(tx, {
      spaceId: caller.spaceId,
      conversationId,
      actor: { id: caller.userId, type: 'user' },
    }),
  );
}

/** Mutes a channel or direct chat for the caller, or ends that. @throws 400 thread; 403 no member; 404 */
export async function muteAsPerson(
  q: Queryable,
  caller: UserPrincipal,
  conversationId: string,
  muted: boolean,
): Promise<void> {
  const { conversation } = await requireReadable(q, caller, conversationId);
  if (conversation.rootMessageId !== null) throw threadsHaveNoMute();
  if (!(await muteConversation(q, { spaceId: caller.spaceId, conversationId, userId: caller.userId, muted })))
    throw notMember();
}

/** The direct chat with an active person or bot of the space, made when needed. @throws 400 `user not found` */
export async function openDirectAsPerson(
  tx: Tx,
  members: MemberDirectory,
  { spaceId, userId }: UserPrincipal,
  otherId: string,
): Promise<string> {
  const found = await members.find(tx, spaceId, [otherId]);
  return openDirectConversation(tx, {
    spaceId,
    a: { id: userId, type: 'user' },
    b: { id: otherId, type: typeOf(found, otherId) },
  });
}

async function requireChannel(
  q: Queryable,
  caller: UserPrincipal,
  conversationId: string,
): Promise<{ conversation: Conversation; actor: ChannelActor }> {
  const { conversation, isMember } = await requireReadable(q, caller, conversationId);
  if (!hasOwnMembers(conversation)) throw unsupportedType();
  return { conversation, actor: { userId: caller.userId, role: caller.role, isMember } };
}

function typeOf(found: ReadonlyMap<string, MemberType>, id: string): MemberType {
  const type = found.get(id);
  if (type === undefined) throw userNotFound();
  return type;
}
