import type { Tx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { appendChatEvent } from '../events/append-event.js';
import type { MemberType } from '../events/chat-event.js';
import { StoredConversation } from './conversation.entity.js';
import { findConversation } from '../conversation.queries.js';
import type { Conversation } from '../conversation.queries.js';
import { conversationData } from '../conversation.view.js';
import { insertMembers } from '../members/insert-members.js';

/** A person or bot as a member. */
export interface Member {
  id: string;
  type: MemberType;
}

/**
 * A channel or voice chat to create. The caller has already looked up the members in the space
 * (`MemberDirectory`).
 */
export interface NewConversation {
  spaceId: string;
  type: 'channel' | 'voice';
  name: string;
  isPublic: boolean;
  /** The person who creates it, also its first member. */
  createdBy: string;
  /** Further members. */
  members?: readonly Member[];
}

/** Creates a channel or voice chat with its members and appends CONVERSATION_CREATED. */
export async function createConversation(
  tx: Tx,
  { spaceId, type, name, isPublic, createdBy, members = [] }: NewConversation,
): Promise<Conversation> {
  const id = uuidv7();
  const scope = isPublic ? 'public' : 'private';
  await tx.manager.insert(StoredConversation, { spaceId, id, type, scope, name, createdBy });
  const creator: Member = { id: createdBy, type: 'user' };
  const joined = await insertMembers(tx, {
    spaceId,
    conversationId: id,
    members: [creator, ...members.filter((member) => member.id !== createdBy)],
  });
  const conversation = await findConversation(tx, spaceId, id);
  if (!conversation) throw new Error('conversation not found in the transaction that created it');
  await appendChatEvent(
    tx,
    conversation,
    { actor: creator, at: conversation.createdAt },
    {
      event_type: 'CONVERSATION_CREATED',
      data: conversationData(conversation),
      message: undefined,
    },
  );
  await joined.announce({ conversation, actor: creator });
  return conversation;
}
