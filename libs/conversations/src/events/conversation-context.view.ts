import { Field } from '@tieline/platform/http';
import { SCOPES } from '../conversation.js';
import type { ConversationScope } from '../conversation.js';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

/** `conversation_context` of message events (docs/events.md#conversation-context). */
export class ConversationContextView {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: 'channel', description: 'chat, channel, voice or thread; more types may be added' })
  type: string;

  @Field({ enum: SCOPES, example: 'public' })
  scope: ConversationScope;

  @Field({ example: 'support', optional: true })
  subtype?: string;

  @Field({ example: false })
  is_direct: boolean;

  @Field({ example: true })
  is_public: boolean;

  @Field({ example: CONVERSATION, optional: true, description: "threads only: the thread's channel" })
  parent_conversation_id?: string;

  @Field({ example: 'channel', optional: true, description: 'threads only' })
  parent_conversation_type?: string;

  @Field({ example: true, optional: true, description: 'threads only' })
  parent_is_public?: boolean;
}

/** Facts about a conversation that never change. They decide who may see an event. */
export type ConversationFacts = Omit<ConversationContextView, 'conversation_id'>;

/** The conversation of an event, as planners use it. */
export interface EventConversation extends ConversationFacts {
  id: string;
  /** Threads only. */
  root_message_id?: string;
}
