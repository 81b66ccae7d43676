import type { Queryable } from '@tieline/platform/database';

/** Whether a person wants pushes from a channel or direct chat. */
export interface Muting {
  spaceId: string;
  conversationId: string;
  userId: string;
  muted: boolean;
}

/** Mutes a conversation for one of its members, or ends that. @returns false when the person is not a member */
export async function muteConversation(
  q: Queryable,
  { spaceId, conversationId, userId, muted }: Muting,
): Promise<boolean> {
  const rows = await q.query(
    'UPDATE conversation_members SET muted = $4 WHERE space_id = $1 AND conversation_id = $2 AND member_id = $3 RETURNING 1',
    [spaceId, conversationId, userId, muted],
  );
  return rows.length > 0;
}
