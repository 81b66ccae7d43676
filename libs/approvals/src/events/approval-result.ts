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
 * Tells a bot how its approval ended: docs/approvals.md#the-result. It has a name of its own,
 * because APPROVAL_DECIDED is another event.
 */
export const approvalResult = chatEvents.declare({
  event: 'approval.decided',
  name: 'ApprovalResult',
  summary: 'An approval of the bot has ended',
  data: ApprovalResultData,
  ids: [],
  subscribers: [],
});
