import { eventType } from './event-type.js';
import { ConversationDataView } from './conversation-data.view.js';

export const conversationArchived = eventType({
  event: 'CONVERSATION_ARCHIVED',
  summary: 'A channel was archived',
  data: ConversationDataView,
  ids: ['conversation_id', 'created_by'],
  subscribers: ['bots', 'outgoing webhooks'],
});
