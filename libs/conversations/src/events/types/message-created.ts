import { eventType } from './event-type.js';
import { MessageDataView } from './message-data.view.js';

export const messageCreated = eventType({
  event: 'MESSAGE_CREATED',
  summary: 'A message was posted',
  data: MessageDataView,
  dataNote: 'with `payload: thin`, only ids',
  ids: ['message_id', 'conversation_id', 'author_id', 'thread_id', 'parent_message_id'],
  subscribers: ['bots', 'outgoing webhooks'],
  hasTrigger: true,
  streamName: 'message.new',
});
