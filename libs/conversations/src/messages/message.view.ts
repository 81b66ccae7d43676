import type { DeletedMessageData, MessageData, MessageView } from '../events/chat-event.js';
import { conversationContext } from '../conversation.view.js';
import type { EventPlace } from '../conversation.view.js';
import { NO_ATTACHMENTS } from '../ports/message-attachments.js';
import type { Attachments } from '../ports/message-attachments.js';
import type { Message } from './message.queries.js';

/** For the OpenAPI document. */
export const MESSAGE_EXAMPLE = {
  id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
  message_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
  conversation_id: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  author_id: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41',
  author_type: 'bot' as const,
  text: 'Build 4711 passed',
  is_system: false,
  attachments: [],
  attachment_status: 'none' as const,
  reactions: [{ emoji: '🎉', user_ids: ['01939d3e-0003-7aaa-9c1d-2f6a5b1c0d41'] }],
  msg_index: 42,
  sent_at: '2026-01-31T09:00:00.123456000Z',
} satisfies MessageView;

/** A message as history, live streams and events show it (decisions, section 3), before `messageFor` its viewer. */
export function messageView(message: Message, attachments: Attachments = NO_ATTACHMENTS): MessageView {
  return {
    id: message.id,
    message_id: message.id,
    conversation_id: message.conversationId,
    author_id: message.authorId,
    author_type: message.authorType,
    text: message.text,
    is_system: message.authorType === 'system',
    ...replyAndMentions(message),
    ...(message.metadataJson !== null && { metadata_json: message.metadataJson }),
    ...(message.displayName !== null && { display_name: message.displayName }),
    ...(message.displayAvatarUrl !== null && { display_avatar_url: message.displayAvatarUrl }),
    ...(message.editedAt !== null && { edited_at: message.editedAt }),
    ...(message.deletedAt !== null && { deleted_at: message.deletedAt }),
    attachments: attachments.records,
    attachment_status: attachments.status,
    reactions: message.reactions ?? [],
    msg_index: message.msgIndex,
    sent_at: message.sentAt,
  };
}

/** `data` of MESSAGE_CREATED and MESSAGE_UPDATED, in the contract's order. */
export function messageData(message: Message, conversation: EventPlace): MessageData {
  return {
    message_id: message.id,
    conversation_id: message.conversationId,
    author_id: message.authorId,
    text: message.text,
    msg_index: message.msgIndex,
    sent_at: message.sentAt,
    ...replyAndMentions(message),
    conversation_context: conversationContext(conversation),
    ...(message.editedAt !== null && { edited_at: message.editedAt }),
  };
}

/** `data` of MESSAGE_DELETED. */
export function deletedMessageData(message: Message, conversation: EventPlace): DeletedMessageData {
  return {
    message_id: message.id,
    conversation_id: message.conversationId,
    text: '',
    msg_index: message.msgIndex,
    author_id: message.authorId,
    sent_at: message.sentAt,
    conversation_context: conversationContext(conversation),
  };
}

function replyAndMentions({
  mentions,
  threadId,
}: Pick<Message, 'mentions' | 'threadId'>): Pick<
  MessageView,
  'mentions' | 'thread_id' | 'parent_message_id'
> {
  return {
    ...(mentions !== null && mentions.length > 0 && { mentions }),
    ...(threadId !== null && { thread_id: threadId, parent_message_id: threadId }),
  };
}
