import { Field } from '@tieline/platform/http';
import type { Sent } from '@tieline/platform/http';
import { ConversationContextView } from './conversation-context.view.js';
import { EventEnvelope } from './event-envelope.view.js';
import { MESSAGE_CHANGES } from './chat-event.js';
import type {
  ConversationData,
  DeletedMessageData,
  MemberData,
  MemberType,
  MessageChange,
  MessageData,
  ReactionData,
} from './chat-event.js';

/*
 * Chat events as they are sent. The interfaces in `chat-event.ts` keep these classes in line with
 * the payloads.
 */

const MESSAGE = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42';
const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const PERSON = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const MOMENT = '2026-01-31T09:00:00.123456000Z';

export class MessageDataView implements MessageData {
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

export class DeletedMessageDataView implements DeletedMessageData {
  @Field({ example: MESSAGE })
  message_id: string;

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ enum: [''], description: 'always empty' })
  text: '';

  @Field({ example: 42 })
  msg_index: number;

  @Field({ example: PERSON })
  author_id: string;

  @Field({ example: MOMENT })
  sent_at: string;

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;
}

export class ReactionDataView implements ReactionData {
  @Field({ example: MESSAGE })
  message_id: string;

  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: '🎉' })
  emoji: string;

  @Field({ example: PERSON })
  user_id: string;
}

export class ConversationDataView implements ConversationData {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: 'releases' })
  name: string;

  @Field({ example: 'channel' })
  type: string;

  @Field({ example: PERSON })
  created_by: string;
}

export class MemberDataView implements MemberData {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: PERSON })
  member_id: string;

  @Field({ enum: ['user', 'bot'] })
  member_type: MemberType;
}

export class MessageCreatedEvent extends EventEnvelope {
  @Field({ enum: ['MESSAGE_CREATED'] })
  override event_type: 'MESSAGE_CREATED';

  @Field({ type: MessageDataView, description: 'with `payload: thin`, only ids' })
  data: MessageDataView;
}

export class MessageUpdatedEvent extends EventEnvelope {
  @Field({ enum: ['MESSAGE_UPDATED'] })
  override event_type: 'MESSAGE_UPDATED';

  @Field({ type: MessageDataView, description: 'with `payload: thin`, only ids' })
  data: MessageDataView;
}

export class MessageDeletedEvent extends EventEnvelope {
  @Field({ enum: ['MESSAGE_DELETED'] })
  override event_type: 'MESSAGE_DELETED';

  @Field({ type: DeletedMessageDataView, description: 'with `payload: thin`, only ids' })
  data: DeletedMessageDataView;
}

export class ReactionAddedEvent extends EventEnvelope {
  @Field({ enum: ['REACTION_ADDED'] })
  override event_type: 'REACTION_ADDED';

  @Field({ type: ReactionDataView })
  data: ReactionDataView;
}

export class ReactionRemovedEvent extends EventEnvelope {
  @Field({ enum: ['REACTION_REMOVED'] })
  override event_type: 'REACTION_REMOVED';

  @Field({ type: ReactionDataView })
  data: ReactionDataView;
}

export class ConversationCreatedEvent extends EventEnvelope {
  @Field({ enum: ['CONVERSATION_CREATED'] })
  override event_type: 'CONVERSATION_CREATED';

  @Field({ type: ConversationDataView })
  data: ConversationDataView;
}

export class ConversationArchivedEvent extends EventEnvelope {
  @Field({ enum: ['CONVERSATION_ARCHIVED'] })
  override event_type: 'CONVERSATION_ARCHIVED';

  @Field({ type: ConversationDataView })
  data: ConversationDataView;
}

export class MemberJoinedEvent extends EventEnvelope {
  @Field({ enum: ['MEMBER_JOINED'] })
  override event_type: 'MEMBER_JOINED';

  @Field({ type: MemberDataView })
  data: MemberDataView;
}

export class MemberLeftEvent extends EventEnvelope {
  @Field({ enum: ['MEMBER_LEFT'] })
  override event_type: 'MEMBER_LEFT';

  @Field({ type: MemberDataView })
  data: MemberDataView;
}

/** Chat events for the OpenAPI document. */
export const SENT_CHAT_EVENTS: readonly Sent[] = [
  { event: 'MESSAGE_CREATED', summary: 'A message was posted', payload: MessageCreatedEvent },
  {
    event: 'MESSAGE_UPDATED',
    summary: 'A message was edited, pinned or unpinned',
    payload: MessageUpdatedEvent,
  },
  { event: 'MESSAGE_DELETED', summary: 'A message was deleted', payload: MessageDeletedEvent },
  { event: 'REACTION_ADDED', summary: 'A reaction was added to a message', payload: ReactionAddedEvent },
  {
    event: 'REACTION_REMOVED',
    summary: 'A reaction was removed from a message',
    payload: ReactionRemovedEvent,
  },
  { event: 'CONVERSATION_CREATED', summary: 'A channel was created', payload: ConversationCreatedEvent },
  { event: 'CONVERSATION_ARCHIVED', summary: 'A channel was archived', payload: ConversationArchivedEvent },
  { event: 'MEMBER_JOINED', summary: 'A person or bot joined a channel', payload: MemberJoinedEvent },
  { event: 'MEMBER_LEFT', summary: 'A person or bot left a channel', payload: MemberLeftEvent },
];
