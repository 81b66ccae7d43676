import { Field } from '@tieline/platform/http';
import { ConversationContextView } from '../conversation-context.view.js';

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const MOMENT = '2026-01-31T09:00:00.123456000Z';

/** What a MESSAGE_UPDATED can change. */
export const MESSAGE_CHANGES = ['text', 'metadata', 'attachments', 'pin'] as const;
export type MessageChange = (typeof MESSAGE_CHANGES)[number];

/** `data` of MESSAGE_CREATED and MESSAGE_UPDATED (docs/events.md#message-data). */
export class MessageDataView {
  @Field({ example: MESSAGE })
  message_id: string;

  @Field({ example: CONVERSATION, description: "for a thread message, the thread's id" })
  conversation_id: string;

  @Field({ example: PERSON })
  author_id: string;

  @Field({ example: 'Is build 4711 out?' })
  text: string;

  @Field({ example: 42, description: 'position in the conversation' })
  msg_index: number;

  @Field({ example: MOMENT })
  sent_at: string;

  @Field({ example: [PERSON], optional: true, description: 'mentioned people and bots' })
  mentions?: string[];

  @Field({
    example: true,
    optional: true,
    description: 'true if the text was derived from attachments and blocks',
  })
  text_derived?: boolean;

  @Field({ example: MESSAGE, optional: true, description: 'root message of the thread' })
  thread_id?: string;

  @Field({ example: MESSAGE, optional: true, description: 'the same as `thread_id`' })
  parent_message_id?: string;

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;

  @Field({
    enum: MESSAGE_CHANGES,
    isArray: true,
    example: ['text'],
    optional: true,
    description: 'MESSAGE_UPDATED only: what was changed',
  })
  changes?: MessageChange[];

  @Field({ example: MOMENT, optional: true, description: 'MESSAGE_UPDATED only' })
  edited_at?: string;

  @Field({ example: MOMENT, optional: true, description: 'MESSAGE_UPDATED of a pinned message' })
  pinned_at?: string;

  @Field({ example: PERSON, optional: true, description: 'the person or bot that pinned it' })
  pinned_by?: string;
}
