import { chatEvents } from '@tieline/conversations';
import { Field } from '@tieline/platform/http';
import { ApprovalView } from '../approval.view.js';

class ApprovalResultData {
  @Field({ enum: ['approval.decided'] })
  event_type: 'approval.decided';

  @Field({ type: ApprovalView })
  approval: ApprovalView;
}

/**
 * Tells a bot how its approval ended: docs/approvals.md#the-result. It has another name than
 * the outgoing event APPROVAL_DECIDED.
 */
export const approvalResult = chatEvents.declare({
  event: 'approval.decided',
  name: 'ApprovalResult',
  summary: 'An approval of the bot has ended',
  data: ApprovalResultData,
  ids: [],
  subscribers: [],
});
