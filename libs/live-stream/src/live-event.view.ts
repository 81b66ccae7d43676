import { Field } from '@tieline/platform/http';
import {
  MESSAGE_CHANGES,
  ReactionDataView,
  ConversationContextView,
  MessageView,
} from '@tieline/conversations';

/* Events of a person's stream, for the OpenAPI document. */

export class StreamedMessage extends MessageView {
  @Field({ enum: ['message.new', 'message.edited', 'message.deleted'] })
  event: 'message.new' | 'message.edited' | 'message.deleted';

  @Field({
    enum: MESSAGE_CHANGES,
    isArray: true,
    example: ['text'],
    optional: true,
    description: 'message.edited only: what was changed',
  })
  changes?: (typeof MESSAGE_CHANGES)[number][];

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;
}

export class StreamedReaction extends ReactionDataView {
  @Field({ enum: ['reaction.added', 'reaction.removed'] })
  event: 'reaction.added' | 'reaction.removed';
}

/** Events may have been lost before this one: read history again. */
export class StreamedResync {
  @Field({ enum: ['resync'] })
  event: 'resync';
}

/** Chat events on streams, for the OpenAPI document. */
export const STREAMED_OF_CHAT = [StreamedMessage, StreamedReaction, StreamedResync];
