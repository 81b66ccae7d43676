import { perSecond, settings } from '@tieline/platform/config';

/** Settings of execution tasks. */
export class TaskSettings extends settings('Execution tasks', {
  writesPerSecond: perSecond('RATE_TASK_WRITES_PER_SECOND', 10, 'writes of execution tasks per bot'),
}) {}
