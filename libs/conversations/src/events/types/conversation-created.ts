import { eventType } from './event-type.js';
import { ConversationDataView } from './conversation-data.view.js';

export const conversationCreated = eventType({
  event: 'CONVERSATION_CREATED',
  summary: 'A channel was created',
  data: ConversationDataView,
  ids: ['conversation_id', 'created_by'],
  subscribers: ['bots', 'outgoing webhooks'],
});
