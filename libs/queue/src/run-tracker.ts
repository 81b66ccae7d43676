import { setTimeout as sleep } from 'node:timers/promises';
import { Worker as BullWorker } from 'bullmq';
import type { Processor } from './bull-backend.js';

/** How long the results of runs may take to reach the server when the process ends, in milliseconds. */
const RESULTS_MS = 1_000;

/** A worker that can be given up while its close still waits for a server that is away. */
export class AbandonableWorker extends BullWorker {
  /** Ends its timers and connections, so that the process can end. Jobs in hand are run again elsewhere. */
  async abandon(): Promise<void> {
    await this.lockManager.close();
    await this.backend.close(true).catch(() => undefined);
  }
}

/** Knows which runs are under way, so that a worker can be closed while its server is away. */
export class RunTracker {
  private readonly runs = new Set<Promise<void>>();

  constructor(private readonly processor: Processor) {}

  /** The processor, watched. */
  readonly process: Processor = (job) => {
    const run = this.processor(job);
    this.runs.add(run);
    const ended = (): void => void this.runs.delete(run);
    run.then(ended, ended);
    return run;
  };

  /**
   * Closes the worker: it takes nothing more, and every run under way returns. BullMQ would then wait until the server
   * has taken their results, however long it is away; here they get a second. What is not taken is run again.
   */
  async close(worker: AbandonableWorker): Promise<void> {
    const done = new AbortController();
    const enough = this.allEnded()
      .then(() => sleep(RESULTS_MS, false, { signal: done.signal }))
      .catch(() => true);
    const closing = worker.close().then(
      () => true,
      () => true,
    );
    const closed = await Promise.race([closing, enough]);
    done.abort();
    if (!closed) await worker.abandon();
  }

  private async allEnded(): Promise<void> {
    while (this.runs.size > 0) await Promise.allSettled([...this.runs]);
  }
}
