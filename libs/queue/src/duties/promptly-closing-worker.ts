import { doneWithin } from '@tieline/background';
import { Worker } from 'bullmq';
import type { Job, Processor, WorkerOptions } from 'bullmq';
import type { QueueServer } from '../queue-server.js';

/** How long results of runs may take to reach the server when the process ends, in milliseconds. */
const RESULTS_MS = 1_000;

/** A worker that closes even if its server is down. */
export class PromptlyClosingWorker extends Worker {
  private readonly runs = new Set<Promise<unknown>>();
  private ending: Promise<void> | undefined;

  constructor(name: string, processor: Processor, options: WorkerOptions) {
    const { workerOptions } = options.connection as unknown as QueueServer;
    super(name, processor, { ...options, ...workerOptions });
  }

  /**
   * Takes no further jobs and waits until every current run has returned. BullMQ would then wait
   * until the server accepts their results, however long it is down; here they get a second. Jobs
   * whose results are lost are run again elsewhere.
   */
  override close(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  protected override callProcessJob(job: Job, token: string, signal?: AbortSignal): Promise<unknown> {
    const run = super.callProcessJob(job, token, signal);
    this.runs.add(run);
    const ended = (): void => void this.runs.delete(run);
    run.then(ended, ended);
    return run;
  }

  private async end(): Promise<void> {
    const closing = super.close().catch(() => undefined);
    await Promise.race([closing, this.allEnded()]);
    if (!(await doneWithin(closing, RESULTS_MS))) await this.abandon();
  }

  /** Ends timers and connections, so that the process can end. */
  private async abandon(): Promise<void> {
    await this.lockManager.close();
    await doneWithin(this.backend.close(true), RESULTS_MS).catch(() => undefined);
  }

  private async allEnded(): Promise<void> {
    while (this.runs.size > 0) await Promise.allSettled([...this.runs]);
  }
}
