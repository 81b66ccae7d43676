import type { Job, Queue as BullQueue, QueueOptions, Worker as BullWorker, WorkerOptions } from 'bullmq';
import type { Closable } from './bull-connection.js';

/** All jobs are in one BullMQ queue: a worker process holds one pair of connections, however many jobs there are. */
export const QUEUE_NAME = 'wake';

/** In braces, so that a Redis cluster keeps all keys of the queue on one node. */
const PREFIX = '{tieline}';

/** A handler that throws is tried again after 1 and 2 seconds; then its next wake-up or tick comes anyway. */
const JOB_OPTIONS = {
  removeOnComplete: true,
  removeOnFail: { count: 100 },
  attempts: 3,
  backoff: { type: 'exponential', delay: 1_000 },
} as const;

/** What one run of a job hands to BullMQ. */
export type Processor = (job: Job) => Promise<void>;

/** A connected queue for adding jobs. */
export interface OpenQueue extends Closable {
  readonly queue: BullQueue;
}

/** A connected worker that is taking jobs. */
export interface OpenWorker extends Closable {
  readonly worker: BullWorker;
}

/** Where BullMQ keeps its jobs. Both calls fail when the server can't be reached, and leave nothing behind. */
export interface BullBackend {
  openQueue(): Promise<OpenQueue>;
  openWorker(processor: Processor, concurrency: number): Promise<OpenWorker>;
}

/** The settings of a producing queue that do not depend on the server. */
export const QUEUE_OPTIONS = {
  prefix: PREFIX,
  defaultJobOptions: JOB_OPTIONS,
  // A wake-up fails at once rather than wait for a server that is away.
  skipWaitingForReady: true,
  streams: { events: { maxLen: 100 } },
} satisfies Omit<QueueOptions, 'connection'>;

/** The settings of a worker that do not depend on the server. */
export function workerOptions(concurrency: number): Omit<WorkerOptions, 'connection'> {
  return {
    prefix: PREFIX,
    autorun: false,
    concurrency,
    // A worker that died is noticed, and its run repeated, within 15 s.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: 3,
    drainDelay: 5,
    runRetryDelay: 1_000,
  };
}

/** Waits until BullMQ's first contact worked. It keeps a failed one for ever: such a one is closed, to be made anew. */
export async function ready<T extends Closable>(
  opened: T,
  bull: { waitUntilReady(): Promise<unknown> },
): Promise<T> {
  try {
    await bull.waitUntilReady();
    return opened;
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}
