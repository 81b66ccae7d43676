import type { JobName } from './jobs.js';

/**
 * Coalesced wake-ups and timers. Postgres remembers what there is to do; this only says "look now" or "look at t".
 * Wake after the commit, never inside the transaction. A lost wake-up is made up for by the job's ticks
 * ({@link Queue.every}), so that nothing here is waited for longer than two seconds and nothing throws.
 */
export abstract class Queue {
  /**
   * Asks for one run of the job's handler that starts after this call. At most one wake-up per job is pending in all
   * processes together, and one on its way from this process: further calls share it.
   *
   * @returns false when the queue could not be reached (counted, never thrown)
   */
  abstract wake(job: JobName): Promise<boolean>;

  /**
   * Asks for a run at `at` or up to 250 ms later (up to 1 s later when `at` is over a minute away). Calls that fall
   * into the same slot are one timer. A moment that has passed is a {@link wake}.
   *
   * @returns false when the queue could not be reached (counted, never thrown)
   */
  abstract wakeAt(job: JobName, at: Date): Promise<boolean>;

  /**
   * Runs the job every `intervalMs` (at least 100) for as long as this process lives: one run per interval over all
   * processes that ask for it. Comes back by itself within 5 s or one interval after the queue lost everything.
   *
   * @returns the function that ends this process's part
   */
  abstract every(job: JobName, intervalMs: number): () => void;

  /** Resolves when the queue's server answers, throws otherwise (for readiness). At most 2 s. */
  abstract check(): Promise<void>;

  /** Ends ticks and connections. Later wake-ups resolve false. */
  abstract close(): Promise<void>;
}

/** What a handler is told about its run. */
export interface JobRun {
  readonly job: JobName;
  /** Aborted when the process shuts down: finish the batch in hand and return. */
  readonly signal: AbortSignal;
}

/** Looks for work and does it. It may run again, or twice at a time on other processes: rows are claimed with locks. */
export type JobHandler = (run: JobRun) => Promise<void>;

/** How a handler is run. */
export interface JobOptions {
  /** Runs at the same time in this process at most; default 1. A wake-up beyond it makes one more run afterwards. */
  concurrency?: number;
  /** The job also runs by itself this often, in milliseconds; see {@link Queue.every}. */
  everyMs?: number;
}

/** Runs handlers when their jobs are woken. One per worker process. */
export abstract class QueueWorkerHost {
  /**
   * Sets the handler of a job; before {@link start}.
   * @throws Error when the job has a handler already
   */
  abstract register(job: JobName, handler: JobHandler, options?: JobOptions): void;

  /**
   * Begins to take wake-ups; resolves once the queue is reachable.
   * @throws Error when an expected job has no handler
   */
  abstract start(): Promise<void>;

  /** The jobs that have a handler, and how often each runs by itself. */
  abstract readonly jobs: ReadonlyMap<JobName, { readonly everyMs?: number | undefined }>;

  /** Whether wake-ups are being taken right now (for readiness). */
  abstract readonly running: boolean;

  /** Takes no more wake-ups, aborts the signals of the runs under way and waits until they have returned. */
  abstract close(): Promise<void>;
}

/** What happens inside the queue, for metrics and logs. */
export interface QueueEvents {
  /** A wake-up or timer could not be handed to the server. */
  wakeFailed?(job: string, error: Error): void;
  /** A handler ended; `error` when it threw. Times in milliseconds; `lagMs` from the moment it was asked for. */
  handled?(job: string, result: { durationMs: number; lagMs: number; error?: Error }): void;
  /** A connection was lost, or the server is set up in a way that loses jobs. */
  failed?(error: Error): void;
}
