import { Injectable } from '@nestjs/common';
import type { Tx } from '@tieline/platform/database';
import { actorOf, requireChannel } from '../access/require-channel.js';
import type { ChannelCaller } from '../channels/channel-caller.js';
import { throwIfRefused, notAllowed, notMember } from '../conversations.errors.js';
import { addMember } from './add-member.js';
import { MemberDirectory } from './member-directory.js';
import { mayAddMembers } from '../access/membership.states.js';
import { recordMemberships } from './record-memberships.js';
import { typeOf } from './member-type.js';

/** Adds people and bots to channels. */
@Injectable()
export class InviteMember {
  constructor(private readonly directory: MemberDirectory) {}

  /**
   * Adds a person or bot to a channel. Succeeds for members too.
   * @throws 400 not in the space, direct chat or thread; 403 not a member, guest, archived; 404
   */
  async in(tx: Tx, caller: ChannelCaller, conversationId: string, memberId: string): Promise<void> {
    const { spaceId } = caller;
    const { conversation, actor } = await requireChannel(tx, caller, conversationId);
    if (!actor.isMember) throw notMember();
    if (!mayAddMembers(actor)) throw notAllowed();
    const found = await this.directory.find(tx, spaceId, [memberId]);
    const member = { id: memberId, type: typeOf(found, memberId, 'member_id') };
    const { changed } = throwIfRefused(
      await addMember(tx, { spaceId, conversationId, member, actor: actorOf(caller) }),
    );
    if (!changed) return;
    const added = { spaceId, conversation, memberIds: [memberId], isMember: true };
    await recordMemberships(tx, caller.origin, added);
  }
}
