import { eventType } from './event-type.js';
import { ReactionDataView } from './reaction-data.view.js';

export const reactionRemoved = eventType({
  event: 'REACTION_REMOVED',
  summary: 'A reaction was removed from a message',
  data: ReactionDataView,
  ids: ['message_id', 'conversation_id', 'user_id'],
  subscribers: ['bots', 'outgoing webhooks'],
  streamName: 'reaction.removed',
});
