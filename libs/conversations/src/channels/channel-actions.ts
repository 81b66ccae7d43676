import type { Db, Tx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { roleMay } from '@tieline/spaces';
import { joinConversation } from '../members/add-member.js';
import { archiveConversation } from './archive-conversation.js';
import type { ChannelCaller } from './channel-caller.js';
import { findConversation } from '../conversation.queries.js';
import { throwIfRefused, notAllowed, notMember, threadsHaveNoMute } from '../conversations.errors.js';
import { mayManage } from '../access/membership.states.js';
import { muteConversation } from '../members/mute-conversation.js';
import { recordMemberships } from '../members/record-memberships.js';
import { removeMember } from '../members/remove-member.js';
import { actorOf, requireChannel } from '../access/require-channel.js';
import { requireReadable } from '../access/require-readable.js';

/* Channel actions of people and bots: each checks the caller's rights and runs the shared write. */

/**
 * Joins a public channel. Succeeds for members too.
 * @throws 400, 403, 404
 */
export async function joinAsPerson(tx: Tx, caller: UserPrincipal, conversationId: string): Promise<void> {
  const { spaceId, userId, role } = caller;
  // Guests cannot join by themselves. For a guest who is already a member, joining succeeds.
  if (!roleMay(role, 'join_public_channel')) await requireReadable(tx, caller, conversationId);
  throwIfRefused(
    await joinConversation(tx, { spaceId, conversationId, member: { id: userId, type: 'user' } }),
  );
}

/**
 * Leaves a channel. Succeeds for non-members too.
 * @throws 400 direct chat or thread; 404
 */
export async function leaveChannel(tx: Tx, caller: ChannelCaller, conversationId: string): Promise<void> {
  const { spaceId } = caller;
  const memberId = actorOf(caller).id;
  const { changed } = throwIfRefused(await removeMember(tx, { spaceId, conversationId, memberId }));
  if (!changed) return;
  const conversation = await findConversation(tx, spaceId, conversationId);
  const left = { spaceId, memberIds: [memberId], isMember: false };
  if (conversation) await recordMemberships(tx, caller.origin, { ...left, conversation });
}

/**
 * Archives a channel. Succeeds if it is already archived.
 * @throws 400 direct chat or thread; 403 see mayManage; 404
 */
export async function archiveChannel(tx: Tx, caller: ChannelCaller, conversationId: string): Promise<void> {
  const { conversation, actor } = await requireChannel(tx, caller, conversationId);
  if (!mayManage(actor, conversation)) throw notAllowed();
  throwIfRefused(
    await archiveConversation(tx, { spaceId: caller.spaceId, conversationId, actor: actorOf(caller) }),
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
