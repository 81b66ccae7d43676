import { ApprovalDataView } from './approval-data.view.js';
import { eventType } from './event-type.js';

export const approvalRequested = eventType({
  event: 'APPROVAL_REQUESTED',
  summary: 'A bot asked for an approval',
  data: ApprovalDataView,
  ids: ['approval_id', 'conversation_id', 'message_id', 'bot_id'],
  subscribers: ['outgoing webhooks'],
});
