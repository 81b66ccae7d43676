import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { roleMay } from '@tieline/spaces';
import { joinConversation } from '../members/add-member.js';
import { archiveConversation } from './archive-conversation.js';
import { findConversation } from '../conversation.queries.js';
import { throwIfRefused, notAllowed, notMember, threadsHaveNoMute } from '../conversations.errors.js';
import { mayArchive } from '../access/membership.states.js';
import { muteConversation } from '../members/mute-conversation.js';
import { recordMemberships } from '../members/record-memberships.js';
import { removeMember } from '../members/remove-member.js';
import { requireChannel } from '../access/require-channel.js';
import { requireReadable } from '../access/require-readable.js';

/*
 * Channel actions of people: each checks the caller's rights and runs the shared write in one
 * transaction.
 */

/**
 * Joins a public channel. Succeeds for members too.
 * @throws 400, 403, 404
 */
export async function joinAsPerson(db: Db, caller: UserPrincipal, conversationId: string): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const { spaceId, userId, role } = caller;
      // Guests cannot join by themselves. For a guest who is already a member, joining succeeds.
      if (!roleMay(role, 'join_public_channel')) await requireReadable(tx, caller, conversationId);
      throwIfRefused(
        await joinConversation(tx, { spaceId, conversationId, member: { id: userId, type: 'user' } }),
      );
    },
    { spaceId: caller.spaceId, place: conversationId },
  );
}

/**
 * Leaves a channel. Succeeds for non-members too.
 * @throws 400 direct chat or thread; 404
 */
export async function leaveAsPerson(
  db: Db,
  { spaceId, userId, ip }: UserPrincipal & { ip: string },
  conversationId: string,
): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const { changed } = throwIfRefused(
        await removeMember(tx, { spaceId, conversationId, memberId: userId }),
      );
      if (!changed) return;
      const conversation = await findConversation(tx, spaceId, conversationId);
      const left = { spaceId, memberIds: [userId], isMember: false };
      if (conversation) await recordMemberships(tx, { userId, ip }, { ...left, conversation });
    },
    { spaceId, place: conversationId },
  );
}

/**
 * Archives a channel. Succeeds if it is already archived.
 * @throws 400 direct chat or thread; 403 see mayArchive; 404
 */
export async function archiveAsPerson(db: Db, caller: UserPrincipal, conversationId: string): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const { conversation, actor } = await requireChannel(tx, caller, conversationId);
      if (!mayArchive(actor, conversation)) throw notAllowed();
      throwIfRefused(
        await archiveConversation(tx, {
          spaceId: caller.spaceId,
          conversationId,
          actor: { id: caller.userId, type: 'user' },
        }),
      );
    },
    { spaceId: caller.spaceId, place: conversationId },
  );
}

/**
 * Mutes or unmutes a channel or direct chat for the caller.
 * @throws 400 thread; 403 not a member; 404
 */
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
