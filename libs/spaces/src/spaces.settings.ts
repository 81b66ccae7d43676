import { int, settings } from '@tieline/platform/config';
import { perPlan } from './spaces/per-plan.js';

/** How many people a space may have. */
export class PeopleLimitSettings extends settings('People', {
  limit: perPlan('LIMIT_PEOPLE', { shown: '10000,50000,500000', text: 'active people of a space' }),
}) {}

/** How long it is kept who changed what. */
export class AuditLogSettings extends settings('Audit log', {
  retentionDays: int('AUDIT_LOG_RETENTION_DAYS', {
    default: 400,
    min: 1,
    max: 36_500,
    text: 'how long entries of the audit log are kept',
  }),
}) {}

/** What guessing costs. */
export class SignInSettings extends settings('Sign-in', {
  failuresPerMinute: int('RATE_SIGN_IN_FAILURES_PER_MINUTE', {
    default: 60,
    min: 1,
    max: 1_000_000,
    text: 'failed sign-ins from one address, per process; then further wrong ones are 429 until the minute is over',
  }),
}) {}
