import { eventType } from './event-type.js';
import { MessageDataView } from './message-data.view.js';

export const messageUpdated = eventType({
  event: 'MESSAGE_UPDATED',
  summary: 'A message was edited, pinned or unpinned',
  data: MessageDataView,
  dataNote: 'with `payload: thin`, only ids',
  ids: ['message_id', 'conversation_id', 'author_id', 'thread_id', 'parent_message_id'],
  subscribers: ['bots', 'outgoing webhooks'],
  hasTrigger: true,
  streamName: 'message.edited',
});
