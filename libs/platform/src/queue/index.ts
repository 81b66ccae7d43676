export { defineJob } from './jobs.js';
export type { JobName } from './jobs.js';
export { Queue, QueueWorkerHost } from './queue.js';
export type { JobHandler, JobOptions, JobRun, QueueEvents } from './queue.js';
export { BullWorkerHost } from './bull-worker-host.js';
export { CoalescingQueue } from './coalescing-queue.js';
export { postgresBackend } from './postgres-backend.js';
export { redisBackend } from './redis-backend.js';
export { QueueModule, QueueWorkerModule } from './queue.module.js';
