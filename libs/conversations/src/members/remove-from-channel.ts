import type { Tx } from '@tieline/platform/database';
import { actorOf, requireChannel } from '../access/require-channel.js';
import type { ChannelCaller } from '../channels/channel-caller.js';
import { throwIfRefused, memberNotFound, notAllowed } from '../conversations.errors.js';
import { mayRemoveMember } from '../access/membership.states.js';
import { recordMemberships } from './record-memberships.js';
import { findMember, removeMember } from './remove-member.js';

/**
 * Removes a person or bot from a channel.
 * @throws 400 direct chat or thread; 403 see mayRemoveMember; 404 also for non-members
 */
export async function removeFromChannel(
  tx: Tx,
  caller: ChannelCaller,
  conversationId: string,
  memberId: string,
): Promise<void> {
  const { spaceId } = caller;
  const { conversation, actor } = await requireChannel(tx, caller, conversationId);
  const member = await findMember(tx, { spaceId, conversationId, memberId });
  if (!mayRemoveMember(actor, conversation, member ?? { id: memberId, type: 'bot' })) throw notAllowed();
  if (!member) throw memberNotFound();
  const { changed } = throwIfRefused(
    await removeMember(tx, { spaceId, conversationId, memberId, actor: actorOf(caller) }),
  );
  if (!changed) return;
  const removed = { spaceId, conversation, memberIds: [memberId], isMember: false };
  await recordMemberships(tx, caller.origin, removed);
}
