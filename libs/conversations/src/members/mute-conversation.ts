import type { Queryable } from '@tieline/platform/database';
import { ConversationMember } from './conversation-member.entity.js';

/** A person's mute setting for a channel or direct chat. */
export interface MuteSetting {
  spaceId: string;
  conversationId: string;
  userId: string;
  muted: boolean;
}

/**
 * Mutes or unmutes a conversation for one of its members.
 * @returns false if the person is not a member
 */
export async function muteConversation(
  q: Queryable,
  { spaceId, conversationId, userId, muted }: MuteSetting,
): Promise<boolean> {
  const changed = await q.manager.update(
    ConversationMember,
    { spaceId, conversationId, id: userId },
    { muted },
  );
  return changed.affected === 1;
}
