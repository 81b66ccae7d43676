import { int, settings } from '@tieline/platform/config';
import { spaceLimits } from './spaces/space-limits.js';

/** What a space may have, by plan. */
export class SpaceLimitSettings extends settings('Plans', { limits: spaceLimits() }) {}

/** Retention of the audit log. */
export class AuditLogSettings extends settings('Audit log', {
  retentionDays: int('AUDIT_LOG_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 36_500,
    text: 'retention of the [audit log](security.md#audit-log)',
  }),
}) {}

/** Limit on failed sign-ins. */
export class SignInSettings extends settings('Sign-in', {
  failuresPerMinute: int('RATE_SIGN_IN_FAILURES_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000,
    text: 'failed sign-ins per client address and process; more failures get 429 until the minute ends',
  }),
}) {}
