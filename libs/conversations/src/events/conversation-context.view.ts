import { Field } from '@tieline/platform/http';
import type { ConversationContext, ConversationScope } from './chat-event.js';

const CONVERSATION = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

/** Facts about the conversation of an event. */
export class ConversationContextView implements ConversationContext {
  @Field({ example: CONVERSATION })
  conversation_id: string;

  @Field({ example: 'channel', description: 'chat, channel, voice or thread; more types may be added' })
  type: string;

  @Field({ enum: ['dm', 'public', 'private'], example: 'public' })
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
