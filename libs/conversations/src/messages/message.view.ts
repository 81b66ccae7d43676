import type {
  AuthorType,
  DeletedMessageData,
  MessageData,
  MessageNotice,
  MessageView,
} from '../events/chat-event.js';
import { conversationContext } from '../conversation.view.js';
import type { Conversation } from '../conversation.queries.js';
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
    ...constantFields(message),
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
export function messageData(message: Message, conversation: Conversation): MessageData {
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
export function deletedMessageData(message: Message, conversation: Conversation): DeletedMessageData {
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

/** What is known of a message before it has its `msg_index` and its time. */
export interface UnsentMessage {
  eventId: string;
  spaceId: string;
  messageId: string;
  conversationId: string;
  author: { id: string; type: AuthorType };
  text: string;
  mentions: string[];
  threadId: string | undefined;
  metadataJson: string | null;
  displayName: string | null;
  displayAvatarUrl: string | null;
  attachments: Attachments;
  notify?: MessageNotice | undefined;
}

/** Pieces of MESSAGE_CREATED that `message.statements.ts` puts together. */
export interface MessageJson {
  event: string;
  data: string;
  dataTail: string;
  view: string;
}

/** The JSON of a message's event, in pieces without closing brace, into which the statement puts what only it knows. */
export function messageJson(message: UnsentMessage): MessageJson {
  const { author, messageId, conversationId, text, attachments } = message;
  const fields = {
    ...message,
    id: messageId,
    authorId: author.id,
    authorType: author.type,
    threadId: message.threadId ?? null,
  };
  const view: Omit<MessageView, 'msg_index' | 'sent_at'> = {
    ...constantFields(fields),
    attachments: attachments.records,
    attachment_status: attachments.status,
    reactions: [],
  };
  const tail = JSON.stringify(replyAndMentions(fields));
  return {
    event: open({
      event_id: message.eventId,
      event_type: 'MESSAGE_CREATED',
      space_id: message.spaceId,
      actor_id: author.id,
      actor_type: author.type,
      ...(message.notify && { notify: message.notify }),
    }),
    data: open({ message_id: messageId, conversation_id: conversationId, author_id: author.id, text }),
    dataTail: tail === '{}' ? '' : `,${tail.slice(1, -1)}`,
    view: open(view),
  };
}

interface ConstantFields {
  id: string;
  conversationId: string;
  authorId: string;
  authorType: AuthorType;
  text: string;
  mentions: string[] | null;
  threadId: string | null;
  metadataJson: string | null;
  displayName: string | null;
  displayAvatarUrl: string | null;
}

function constantFields(
  message: ConstantFields,
): Omit<MessageView, 'msg_index' | 'sent_at' | 'attachments' | 'attachment_status' | 'reactions'> {
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
  };
}

function replyAndMentions({
  mentions,
  threadId,
}: Pick<ConstantFields, 'mentions' | 'threadId'>): Pick<
  MessageView,
  'mentions' | 'thread_id' | 'parent_message_id'
> {
  return {
    ...(mentions !== null && mentions.length > 0 && { mentions }),
    ...(threadId !== null && { thread_id: threadId, parent_message_id: threadId }),
  };
}

function open(object: object): string {
  return JSON.stringify(object).slice(0, -1);
}
