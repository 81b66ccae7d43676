export { defineJob, definedJobs } from './jobs.js';
export type { JobName } from './jobs.js';
export { Queue, QueueWorkerHost } from './queue.js';
export type { JobHandler, JobOptions, JobRun, QueueEvents } from './queue.js';
