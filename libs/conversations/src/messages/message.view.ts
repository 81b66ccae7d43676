import { Field, OkAnswer } from '@tieline/platform/http';
import type { MessageDataView } from '../events/types/message-data.view.js';
import type { DeletedMessageDataView } from '../events/types/message-deleted.js';
import { ATTACHMENT_STATUSES, MessageView } from '../events/shown-message.js';
import type { AttachmentStatus } from '../events/shown-message.js';
import { conversationContext } from '../events/event-conversation.js';
import type { EventPlace } from '../events/event-conversation.js';
import { NO_ATTACHMENTS } from '../ports/message-attachments.js';
import type { Attachments } from '../ports/message-attachments.js';
import type { Message } from './message.queries.js';

/** Response of GET /channels/{conversation_id}/messages. */
export class HistoryAnswer extends OkAnswer {
  @Field({ type: MessageView, isArray: true })
  messages: MessageView[];

  @Field({ example: true })
  has_more_before: boolean;

  @Field({ example: false })
  has_more_after: boolean;
}

/** Response of GET /bot/messages/{id} and GET /client/messages/{id}. */
export class MessageAnswer extends OkAnswer {
  @Field({ type: MessageView })
  message: MessageView;
}

/** Response of GET …/conversations/{id}/pins. */
export class PinsAnswer extends OkAnswer {
  @Field({ type: MessageView, isArray: true })
  pins: MessageView[];
}

/** Response of POST …/messages. */
export class PostedMessageAnswer extends OkAnswer {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41' })
  message_id: string;

  @Field({ example: 42 })
  msg_index: number;

  @Field({
    enum: ATTACHMENT_STATUSES,
    example: 'attached',
    optional: true,
    description: 'only for messages with files',
  })
  attachment_status?: AttachmentStatus;
}

/**
 * Returns a message as history, live streams and events show it. `messageFor` then reduces it to
 * what a viewer may see.
 */
export function messageView(message: Message, attachments: Attachments = NO_ATTACHMENTS): MessageView {
  return {
    id: message.id,
    message_id: message.id,
    conversation_id: message.conversationId,
    author_id: message.authorId,
    author_type: message.authorType,
    text: message.text,
    ...derivedField(message),
    is_system: message.authorType === 'system',
    ...replyAndMentions(message),
    ...(message.metadataJson !== null && { metadata_json: message.metadataJson }),
    ...appBlocksField(message.sourceJson),
    ...(message.displayName !== null && { display_name: message.displayName }),
    ...(message.displayAvatarUrl !== null && { display_avatar_url: message.displayAvatarUrl }),
    ...(message.editedAt !== null && { edited_at: message.editedAt }),
    ...(message.deletedAt !== null && { deleted_at: message.deletedAt }),
    ...pinFields(message),
    attachments: attachments.records,
    attachment_status: attachments.status,
    reactions: message.reactions ?? [],
    msg_index: message.msgIndex,
    sent_at: message.sentAt,
  };
}

/** Returns `data` of MESSAGE_CREATED and MESSAGE_UPDATED, in the documented field order. */
export function messageData(message: Message, conversation: EventPlace): MessageDataView {
  return {
    message_id: message.id,
    conversation_id: message.conversationId,
    author_id: message.authorId,
    text: message.text,
    msg_index: message.msgIndex,
    sent_at: message.sentAt,
    ...derivedField(message),
    ...replyAndMentions(message),
    conversation_context: conversationContext(conversation),
    ...(message.editedAt !== null && { edited_at: message.editedAt }),
    ...pinFields(message),
  };
}

/** Returns `data` of MESSAGE_DELETED. */
export function deletedMessageData(message: Message, conversation: EventPlace): DeletedMessageDataView {
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

function derivedField({ textDerived }: Message): Pick<MessageView, 'text_derived'> | undefined {
  return textDerived === true ? { text_derived: true } : undefined;
}

/** Returns the blocks of a message that was sent in Slack's format. */
export function appBlocksField(sourceJson: string | null): Pick<MessageView, 'app_blocks'> | undefined {
  if (sourceJson === null) return undefined;
  const { blocks } = JSON.parse(sourceJson) as { blocks?: object[] };
  return blocks && { app_blocks: blocks };
}

function pinFields({ pin, deletedAt }: Message): Pick<MessageView, 'pinned_at' | 'pinned_by'> | undefined {
  return pin === null || deletedAt !== null ? undefined : { pinned_at: pin.at, pinned_by: pin.by };
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
