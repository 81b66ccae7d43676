import { FIXED, int, perSecond, settings } from '@tieline/platform/config';

/** Settings of execution tasks. */
export class TaskSettings extends settings('Execution tasks', {
  writesPerSecond: perSecond('RATE_TASK_WRITES_PER_SECOND', 10, 'writes of execution tasks per bot'),
  keyRetentionDays: int('TASK_KEY_RETENTION_DAYS', {
    deprecated: FIXED,
    default: 30,
    min: 1,
    max: 36_500,
    text: 'retention of the idempotency keys of task updates',
  }),
}) {}
