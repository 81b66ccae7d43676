import { perSecond, settings } from '@tieline/platform/config';

/** Execution tasks. */
export class TaskSettings extends settings('Execution tasks', {
  writesPerSecond: perSecond('RATE_TASK_WRITES_PER_SECOND', 10, 'changes of execution tasks, per bot'),
}) {}
