export { DUTY_OPTIONS } from './bull-options.js';
export { Duty } from './duties/duty.js';
export type { DutyRun } from './duties/duty.js';
export { carryOutDueRows } from './due-rows.js';
export { Queue } from './queue.js';
export { QueueModule, QueueWorkerModule } from './queue.module.js';
