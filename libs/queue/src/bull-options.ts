import { setDefaultBackendFactory } from 'bullmq';
import type { BackendFactory, QueueOptions, WorkerOptions } from 'bullmq';
import { PREFIX } from './queue-server.js';
import type { QueueServer } from './queue-server.js';

/** The deduplication key of a wake-up. The run removes it. */
export const WAKE_KEY = 'run';

/**
 * A run that throws is repeated after 1 and 2 seconds; after that it waits for its next wake-up or
 * tick.
 */
const JOB_OPTIONS = {
  removeOnComplete: true,
  removeOnFail: { count: 100 },
  attempts: 3,
  backoff: { type: 'exponential', delay: 1_000 },
} as const;

/** How a {@link Duty}'s worker takes jobs: `@Processor('reminders', DUTY_OPTIONS)`. */
export const DUTY_OPTIONS = {
  // Started once the server was reached.
  autorun: false,
  concurrency: 1,
  // A dead worker is noticed, and its run repeated, within 15 s.
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 3,
  drainDelay: 5,
  runRetryDelay: 1_000,
} satisfies Partial<WorkerOptions>;

/** BullMQ takes a backend from the server in its options. The same for every app of a process. */
const backendOfServer: BackendFactory = (queue, options, { withBlockingConnection = false } = {}) =>
  (options.connection as unknown as QueueServer).backend(
    queue,
    options,
    withBlockingConnection ? 'worker' : 'producer',
  );

/** Returns the options of all queues on a server. */
export function bullOptions(server: QueueServer): QueueOptions {
  setDefaultBackendFactory(backendOfServer);
  return {
    connection: server as unknown as QueueOptions['connection'],
    prefix: PREFIX,
    defaultJobOptions: JOB_OPTIONS,
    streams: { events: { maxLen: 100 } },
  };
}
