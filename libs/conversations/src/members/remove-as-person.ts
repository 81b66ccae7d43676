import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { UserPrincipal } from '@tieline/platform/http';
import { requireChannel } from '../access/require-channel.js';
import { throwIfRefused, memberNotFound, notAllowed } from '../conversations.errors.js';
import type { Actor } from '../actors.js';
import { mayRemoveMember } from '../access/membership.states.js';
import { recordMemberships } from './record-memberships.js';
import { findMember, removeMember } from './remove-member.js';

/**
 * Removes a person or bot from a channel.
 * @throws 400 direct chat or thread; 403 see mayRemoveMember; 404 also for non-members
 */
export async function removeAsPerson(
  db: Db,
  caller: UserPrincipal & { ip: string },
  conversationId: string,
  memberId: string,
): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const { conversation, actor } = await requireChannel(tx, caller, conversationId);
      const member = await findMember(tx, { spaceId: caller.spaceId, conversationId, memberId });
      if (!mayRemoveMember(actor, conversation, member ?? { id: memberId, type: 'bot' })) throw notAllowed();
      if (!member) throw memberNotFound();
      const by: Actor = { id: caller.userId, type: 'user' };
      const { spaceId } = caller;
      const { changed } = throwIfRefused(
        await removeMember(tx, { spaceId, conversationId, memberId, actor: by }),
      );
      if (changed)
        await recordMemberships(tx, caller, {
          spaceId,
          conversation,
          memberIds: [memberId],
          isMember: false,
        });
    },
    { spaceId: caller.spaceId, place: conversationId },
  );
}
