import { Field } from '@tieline/platform/http';
import {
  MESSAGE_CHANGES,
  ReactionDataView,
  ConversationContextView,
  MessageView,
} from '@tieline/conversations';

/* Events of a person's stream, for the OpenAPI document. */

class StreamedMessage extends MessageView {
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

class StreamedReaction extends ReactionDataView {
  @Field({ enum: ['reaction.added', 'reaction.removed'] })
  event: 'reaction.added' | 'reaction.removed';
}

/** A bot set or removed the title of a thread. */
class StreamedThreadTitle {
  @Field({ enum: ['thread.updated'] })
  event: 'thread.updated';

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', description: 'the channel of the thread' })
  conversation_id: string;

  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d42', description: 'root message of the thread' })
  thread_id: string;

  @Field({ nullable: true, example: 'Release 4711', description: 'null: removed' })
  title: string | null;
}

/** Events may have been lost before this one: read history again. */
class StreamedResync {
  @Field({ enum: ['resync'] })
  event: 'resync';
}

/** Chat events on streams, for the OpenAPI document. */
export const STREAMED_OF_CHAT = [StreamedMessage, StreamedReaction, StreamedThreadTitle, StreamedResync];
