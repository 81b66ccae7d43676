import type { Tx } from '@tieline/platform/database';
import { recordChanges } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import type { Conversation } from '../conversation.queries.js';

/** People and bots who joined or left a channel. */
export interface AccessChange {
  spaceId: string;
  conversation: Pick<Conversation, 'id' | 'scope'>;
  memberIds: readonly string[];
  isMember: boolean;
}

/**
 * Writes to the audit log who gained or lost access to a private channel, in the transaction of the
 * change. Public channels are readable by everyone, so their changes are not recorded.
 */
export async function recordMemberships(
  tx: Tx,
  origin: Origin,
  { spaceId, conversation, memberIds, isMember }: AccessChange,
): Promise<void> {
  if (conversation.scope === 'public' || memberIds.length === 0) return;
  const record = {
    ...origin,
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
