import type { Tx } from '@tieline/platform/database';
import { byUser, recordChanges } from '@tieline/spaces';
import type { Conversation } from '../conversation.queries.js';

/** People and bots who came into a channel or went out of it. */
export interface RecordedMemberships {
  spaceId: string;
  conversation: Pick<Conversation, 'id' | 'scope'>;
  memberIds: readonly string[];
  isMember: boolean;
}

/**
 * Writes to the audit log who may read a private channel from now on, or no more, in the
 * transaction of the change. Public ones are everybody's, so theirs are not recorded.
 */
export async function recordMemberships(
  tx: Tx,
  { userId, ip }: { userId: string; ip: string },
  { spaceId, conversation, memberIds, isMember }: RecordedMemberships,
): Promise<void> {
  if (conversation.scope === 'public' || memberIds.length === 0) return;
  const record = {
    ...byUser({ userId }, ip),
    spaceId,
    action: isMember ? 'conversation.member_added' : 'conversation.member_removed',
    objectType: 'conversation',
    objectId: conversation.id,
  };
  const changeOf = (id: string): { from: string | null; to: string | null } =>
    isMember ? { from: null, to: id } : { from: id, to: null };
  await recordChanges(
    tx,
    memberIds.map((id) => ({ ...record, changes: { member_id: changeOf(id) } })),
  );
}
