export { StreamedApproval } from './approval.view.js';
export { approvalResult } from './events/approval-result.js';
export { ApprovalsAdminModule, ApprovalsModule, ApprovalsWorkerModule } from './approvals.module.js';
