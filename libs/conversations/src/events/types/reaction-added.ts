import { eventType } from './event-type.js';
import { ReactionDataView } from './reaction-data.view.js';

export const reactionAdded = eventType({
  event: 'REACTION_ADDED',
  summary: 'A reaction was added to a message',
  data: ReactionDataView,
  ids: ['message_id', 'conversation_id', 'user_id'],
  subscribers: ['bots', 'outgoing webhooks'],
  streamName: 'reaction.added',
});
