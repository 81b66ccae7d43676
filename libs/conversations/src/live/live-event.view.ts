import { Field } from '@tieline/platform/http';
import { MESSAGE_CHANGES } from '../events/chat-event.js';
import type { MessageChange } from '../events/chat-event.js';
import { ReactionDataView } from '../events/chat-event.view.js';
import { ConversationContextView } from '../events/conversation-context.view.js';
import { MessageView } from '../events/shown-message.js';
import { NotificationView } from '../notifications/notification.view.js';

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
  changes?: MessageChange[];

  @Field({ type: ConversationContextView })
  conversation_context: ConversationContextView;
}

export class StreamedReaction extends ReactionDataView {
  @Field({ enum: ['reaction.added', 'reaction.removed'] })
  event: 'reaction.added' | 'reaction.removed';
}

export class StreamedNotification extends NotificationView {
  @Field({ enum: ['notification'] })
  event: 'notification';
}

/** Events may have been lost before this one: read history again. */
export class StreamedResync {
  @Field({ enum: ['resync'] })
  event: 'resync';
}

/** Chat events on streams, for the OpenAPI document. */
export const STREAMED_OF_CHAT = [StreamedMessage, StreamedReaction, StreamedNotification, StreamedResync];
