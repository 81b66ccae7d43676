import type { Db } from '@tieline/platform/database';
import { ConversationMember } from '../members/conversation-member.entity.js';

/** Returns the members of a channel or direct chat, in the order of joining. */
export function membersOf(db: Db, spaceId: string, conversationId: string): Promise<ConversationMember[]> {
  return db.manager.find(ConversationMember, {
    where: { spaceId, conversationId },
    order: { joinedAt: 'ASC', id: 'ASC' },
  });
}
