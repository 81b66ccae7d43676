import type { Queryable } from '@tieline/platform/database';
import { ConversationMember } from './conversation-member.entity.js';

/** Whether a person wants pushes from a channel or direct chat. */
export interface Muting {
  spaceId: string;
  conversationId: string;
  userId: string;
  muted: boolean;
}

/**
 * Mutes a conversation for one of its members, or ends that. @returns false when the person is not
 * a member
 */
export async function muteConversation(
  q: Queryable,
  { spaceId, conversationId, userId, muted }: Muting,
): Promise<boolean> {
  const changed = await q.manager.update(
    ConversationMember,
    { spaceId, conversationId, id: userId },
    { muted },
  );
  return changed.affected === 1;
}
