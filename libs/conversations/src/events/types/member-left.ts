import { eventType } from './event-type.js';
import { MemberDataView } from './member-data.view.js';

export const memberLeft = eventType({
  event: 'MEMBER_LEFT',
  summary: 'A person or bot left a channel',
  data: MemberDataView,
  ids: ['conversation_id', 'member_id'],
  subscribers: ['bots', 'outgoing webhooks'],
});
