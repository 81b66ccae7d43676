import { conversationContext } from '@tieline/conversations';
import type { Conversation, ConversationContextView } from '@tieline/conversations';

/** A message of an inbox in its current state, with its conversation. */
export interface DmMessage extends Pick<
  Conversation,
  'type' | 'scope' | 'subtype' | 'parentConversationId' | 'channelType'
> {
  messageId: string;
  /** The thread, for a message in one. */
  conversationId: string;
  authorId: string;
  text: string;
  msgIndex: number;
  sentAt: string;
}

/** A message of the DM stream. It has exactly these fields. */
export interface DmMessageView {
  event: 'message.new';
  message_id: string;
  conversation_id: string;
  author_id: string;
  text: string;
  msg_index: number;
  /** RFC 3339, UTC, nine fractional digits. */
  sent_at: string;
  conversation_context: ConversationContextView;
}

/** Returns the message as the stream carries it. */
export function dmMessageView(message: DmMessage): DmMessageView {
  return {
    event: 'message.new',
    message_id: message.messageId,
    conversation_id: message.conversationId,
    author_id: message.authorId,
    text: message.text,
    msg_index: message.msgIndex,
    sent_at: message.sentAt,
    conversation_context: conversationContext({ ...message, id: message.conversationId }),
  };
}

/** For the OpenAPI document. */
export const DM_MESSAGE_EXAMPLE: DmMessageView = dmMessageView({
  messageId: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42',
  conversationId: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41',
  authorId: '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41',
  text: 'Is build 4711 out?',
  msgIndex: 42,
  sentAt: '2026-01-31T09:00:00.123456000Z',
  type: 'chat',
  scope: 'dm',
  subtype: null,
  parentConversationId: null,
  channelType: 'chat',
});
