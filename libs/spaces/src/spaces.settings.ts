import { int, settings } from '@tieline/platform/config';

/** How long it is kept who changed what. */
export class AuditLogSettings extends settings('Audit log', {
  retentionDays: int('AUDIT_LOG_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 36_500,
    text: 'how long entries of the audit log are kept',
  }),
}) {}
