export { defineJob } from './jobs.js';
export { Queue, QueueWorkerHost } from './queue.js';
export { QueueModule, QueueWorkerModule } from './queue.module.js';
