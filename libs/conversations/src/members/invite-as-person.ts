import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { requireChannel } from '../access/require-channel.js';
import { throwIfRefused, notAllowed, notMember } from '../conversations.errors.js';
import { addMember } from './add-member.js';
import type { MemberDirectory } from './member-directory.js';
import { mayAddMembers } from './membership.states.js';
import { recordMemberships } from './record-memberships.js';
import { typeOf } from './member-type.js';

/**
 * Adds a person or bot to a channel.
 * @throws 400 not in the space, direct chat or thread; 403 not a member, guest, archived; 404
 */
export async function inviteAsPerson(
  db: Db,
  members: MemberDirectory,
  caller: UserPrincipal & { ip: string },
  conversationId: string,
  memberId: string,
): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const { conversation, actor } = await requireChannel(tx, caller, conversationId);
      if (!actor.isMember) throw notMember();
      if (!mayAddMembers(actor)) throw notAllowed();
      const found = await members.find(tx, caller.spaceId, [memberId]);
      const { spaceId } = caller;
      const { changed } = throwIfRefused(
        await addMember(tx, {
          spaceId,
          conversationId,
          member: { id: memberId, type: typeOf(found, memberId, 'member_id') },
          actor: { id: caller.userId, type: 'user' },
        }),
      );
      if (changed)
        await recordMemberships(tx, caller, { spaceId, conversation, memberIds: [memberId], isMember: true });
    },
    { spaceId: caller.spaceId, place: conversationId },
  );
}
