import { ApprovalDataView } from './approval-data.view.js';
import { eventType } from './event-type.js';

export const approvalDecided = eventType({
  event: 'APPROVAL_DECIDED',
  summary: 'An approval was decided, cancelled, or has expired',
  data: ApprovalDataView,
  ids: ['approval_id', 'conversation_id', 'message_id', 'bot_id'],
  subscribers: ['outgoing webhooks'],
});
