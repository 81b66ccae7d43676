import { ConversationContextView } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { DM_MESSAGE_EXAMPLE as EXAMPLE } from './dm-message.view.js';
import type { DmMessageView } from './dm-message.view.js';

/** Events of a bot's stream, for the OpenAPI document. */
export class StreamedDirectMessage implements DmMessageView {
  @Field({ enum: ['message.new'] })
  event: 'message.new';

  @Field({ example: EXAMPLE.message_id })
  message_id: string;

  @Field({ example: EXAMPLE.conversation_id })
  conversation_id: string;

  @Field({ example: EXAMPLE.author_id })
  author_id: string;

  @Field({ example: EXAMPLE.text })
  text: string;

  @Field({ example: EXAMPLE.msg_index })
  msg_index: number;

  @Field({ example: EXAMPLE.sent_at })
  sent_at: string;

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;
}
