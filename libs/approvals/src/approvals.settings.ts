import { int, perSecond, settings } from '@tieline/platform/config';

/** Settings of approvals. */
export class ApprovalSettings extends settings('Approvals', {
  createdPerSecond: perSecond('RATE_APPROVALS_PER_SECOND', 10, 'approvals created per bot'),
  retentionDays: int('APPROVAL_RETENTION_DAYS', {
    default: 90,
    min: 31,
    max: 36_500,
    text: 'retention of [approvals](approvals.md) after their end',
  }),
}) {}
