import { Injectable } from '@nestjs/common';
import { Db, runInTx } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { requireChannel } from '../access/require-channel.js';
import { throwIfRefused, notAllowed, notMember } from '../conversations.errors.js';
import { addMember } from './add-member.js';
import { MemberDirectory } from './member-directory.js';
import { mayAddMembers } from '../access/membership.states.js';
import { recordMemberships } from './record-memberships.js';
import { typeOf } from './member-type.js';

/** Adds people and bots to channels, for a person. */
@Injectable()
export class InviteMember {
  constructor(
    private readonly db: Db,
    private readonly directory: MemberDirectory,
  ) {}

  /**
   * Adds a person or bot to a channel.
   * @throws 400 not in the space, direct chat or thread; 403 not a member, guest, archived; 404
   */
  async run(caller: UserPrincipal & { ip: string }, conversationId: string, memberId: string): Promise<void> {
    const { spaceId } = caller;
    return runInTx(
      this.db,
      async (tx) => {
        const { conversation, actor } = await requireChannel(tx, caller, conversationId);
        if (!actor.isMember) throw notMember();
        if (!mayAddMembers(actor)) throw notAllowed();
        const found = await this.directory.find(tx, spaceId, [memberId]);
        const { changed } = throwIfRefused(
          await addMember(tx, {
            spaceId,
            conversationId,
            member: { id: memberId, type: typeOf(found, memberId, 'member_id') },
            actor: { id: caller.userId, type: 'user' },
          }),
        );
        if (changed)
          await recordMemberships(tx, caller, {
            spaceId,
            conversation,
            memberIds: [memberId],
            isMember: true,
          });
      },
      { spaceId, place: conversationId },
    );
  }
}
