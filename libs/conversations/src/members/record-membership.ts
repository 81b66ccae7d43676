import type { Tx } from '@tieline/platform/database';
import { byUser, recordChange } from '@tieline/spaces';
import type { Conversation } from '../conversation.queries.js';

/** A person or bot who came into a channel or went out of it. */
export interface RecordedMembership {
  spaceId: string;
  conversation: Pick<Conversation, 'id' | 'scope'>;
  memberId: string;
  isMember: boolean;
}

/**
 * Writes to the audit log who may read a private channel from now on, or no more, in the
 * transaction of the change. Public ones are everybody's, so theirs are not recorded.
 */
export async function recordMembership(
  tx: Tx,
  { userId, ip }: { userId: string; ip: string },
  { spaceId, conversation, memberId, isMember }: RecordedMembership,
): Promise<void> {
  if (conversation.scope === 'public') return;
  const change = isMember ? { from: null, to: memberId } : { from: memberId, to: null };
  await recordChange(tx, {
    ...byUser({ userId }, ip),
    spaceId,
    action: isMember ? 'conversation.member_added' : 'conversation.member_removed',
    objectType: 'conversation',
    objectId: conversation.id,
    changes: { member_id: change },
  });
}
