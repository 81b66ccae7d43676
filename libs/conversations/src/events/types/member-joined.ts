import { eventType } from './event-type.js';
import { MemberDataView } from './member-data.view.js';

export const memberJoined = eventType({
  event: 'MEMBER_JOINED',
  summary: 'A person or bot joined a channel',
  data: MemberDataView,
  ids: ['conversation_id', 'member_id'],
  subscribers: ['bots', 'outgoing webhooks'],
});
