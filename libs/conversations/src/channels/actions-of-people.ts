import { runInTx } from '@tieline/platform/database';
import type { Db, Queryable } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { roleMay } from '@tieline/spaces';
import type { Actor } from '../messages/create-message.js';
import { addMember, joinConversation } from '../members/add-member.js';
import { archiveConversation } from './archive-conversation.js';
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
import { createConversation } from './create-conversation.js';
import type { NewConversation } from './create-conversation.js';
import type { MemberDirectory } from '../members/member-directory.js';
import { hasOwnMembers, mayAddMembers, mayArchive, mayRemoveMember } from '../members/membership.states.js';
import type { ChannelActor } from '../members/membership.states.js';
import { muteConversation } from '../members/mute-conversation.js';
import { findMember, removeMember } from '../members/remove-member.js';
import { requireReadable } from '../access/require-readable.js';

/* What people do to channels: their rights, around the writes that everybody shares, in one transaction (decisions, section 8). */

/** The wishes of a person who makes a channel. */
export type WantedConversation = Pick<NewConversation, 'type' | 'name' | 'isPublic'> & {
  memberIds: string[];
};

/** Makes a channel or voice chat. @throws 403 for guests; 400 when somebody named is not of the space */
export async function createAsPerson(
  db: Db,
  directory: MemberDirectory,
  { spaceId, userId, role }: UserPrincipal,
  { memberIds, ...wanted }: WantedConversation,
): Promise<Conversation> {
  if (!roleMay(role, 'create_channel')) throw notAllowed();
  return runInTx(db, async (tx) => {
    const found = await directory.find(tx, spaceId, memberIds);
    const members = [...new Set(memberIds)].map((id) => ({ id, type: typeOf(found, id) }));
    return createConversation(tx, { ...wanted, spaceId, createdBy: userId, members });
  });
}

/** Joins a public channel; repeating is fine. @throws 400, 403, 404 */
export async function joinAsPerson(db: Db, caller: UserPrincipal, conversationId: string): Promise<void> {
  return runInTx(db, async (tx) => {
    const { spaceId, userId, role } = caller;
    // Guests come in only where somebody brings them in; that they are there already is fine.
    if (!roleMay(role, 'join_public_channel')) await requireReadable(tx, caller, conversationId);
    accepted(await joinConversation(tx, { spaceId, conversationId, member: { id: userId, type: 'user' } }));
  });
}

/**
 * Brings a person or bot into a channel. @throws 400 not of the space, direct chat or thread; 403 not a member, guest,
 * archived; 404
 */
export async function inviteAsPerson(
  db: Db,
  members: MemberDirectory,
  caller: UserPrincipal,
  conversationId: string,
  memberId: string,
): Promise<void> {
  return runInTx(db, async (tx) => {
    const { actor } = await requireChannel(tx, caller, conversationId);
    if (!actor.isMember) throw notMember();
    if (!mayAddMembers(actor)) throw notAllowed();
    const found = await members.find(tx, caller.spaceId, [memberId]);
    accepted(
      await addMember(tx, {
        spaceId: caller.spaceId,
        conversationId,
        member: { id: memberId, type: typeOf(found, memberId) },
        actor: { id: caller.userId, type: 'user' },
      }),
    );
  });
}

/**
 * Takes a person or bot out of a channel. @throws 400 direct chat or thread; 403 see mayRemoveMember; 404 also when
 * that is not a member
 */
export async function removeAsPerson(
  db: Db,
  caller: UserPrincipal,
  conversationId: string,
  memberId: string,
): Promise<void> {
  return runInTx(db, async (tx) => {
    const { conversation, actor } = await requireChannel(tx, caller, conversationId);
    const member = await findMember(tx, { spaceId: caller.spaceId, conversationId, memberId });
    if (!mayRemoveMember(actor, conversation, member ?? { id: memberId, type: 'bot' })) throw notAllowed();
    if (!member) throw memberNotFound();
    const by: Actor = { id: caller.userId, type: 'user' };
    accepted(await removeMember(tx, { spaceId: caller.spaceId, conversationId, memberId, actor: by }));
  });
}

/** Leaves a channel; repeating is fine. @throws 400 direct chat or thread; 404 */
export async function leaveAsPerson(
  db: Db,
  { spaceId, userId }: UserPrincipal,
  conversationId: string,
): Promise<void> {
  return runInTx(db, async (tx) => {
    accepted(await removeMember(tx, { spaceId, conversationId, memberId: userId }));
  });
}

/** Archives a channel; repeating is fine. @throws 400 direct chat or thread; 403 see mayArchive; 404 */
export async function archiveAsPerson(db: Db, caller: UserPrincipal, conversationId: string): Promise<void> {
  return runInTx(db, async (tx) => {
    const { conversation, actor } = await requireChannel(tx, caller, conversationId);
    if (!mayArchive(actor, conversation)) throw notAllowed();
    accepted(
      await archiveConversation(tx, {
        spaceId: caller.spaceId,
        conversationId,
        actor: { id: caller.userId, type: 'user' },
      }),
    );
  });
}

/** Mutes a channel or direct chat for the caller, or ends that. @throws 400 thread; 403 not a member; 404 */
export async function muteAsPerson(
  db: Db,
  caller: UserPrincipal,
  conversationId: string,
  muted: boolean,
): Promise<void> {
  const { conversation } = await requireReadable(db, caller, conversationId);
  if (conversation.rootMessageId !== null) throw threadsHaveNoMute();
  if (
    !(await muteConversation(db, { spaceId: caller.spaceId, conversationId, userId: caller.userId, muted }))
  )
    throw notMember();
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

/** @throws 400 `user not found` */
function typeOf(found: ReadonlyMap<string, MemberType>, id: string): MemberType {
  const type = found.get(id);
  if (type === undefined) throw userNotFound();
  return type;
}
