import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import type { DueCheck } from '@tieline/platform/database';
import pTimeout from 'p-timeout';
import { WAKE_KEY } from '../bull-options.js';

/** Passed to a run. */
export interface DutyRun {
  /** Aborted when the process shuts down: finish the current batch and return. */
  readonly signal: AbortSignal;
}

/** Receives the results of runs, for metrics and logs, and provides the signal of the shutdown. */
export interface DutyWatch {
  readonly signal: AbortSignal;
  /**
   * Called after a run; `error` if it threw. Times in milliseconds; `lagMs` counts from its
   * request.
   */
  ran(queue: string, result: { durationMs: number; lagMs: number; error?: unknown }): void;
  /** Called for an error of the worker outside runs. */
  failed(error: Error): void;
}

/**
 * A background duty: a processor that looks for work and does it, on every wake-up of its queue,
 * and at intervals or when a check finds something due. Jobs have no data; the work is in the
 * database. It may run on several processes concurrently: rows are claimed with locks.
 *
 * @example
 *
 * ```ts
 * \@Processor('reminders', DUTY_OPTIONS)
 * export class RemindersProcessor extends Duty {
 *   override readonly due = () => ({ statement: REMINDERS_ARE_DUE });
 *   protected override async run({ signal }: DutyRun): Promise<void> { … }
 * }
 * ```
 */
export abstract class Duty extends WorkerHost {
  /**
   * Interval of runs in milliseconds, a multiple of 250; a run also comes at the start of the
   * process. One run per tick over all processes.
   */
  readonly everyMs?: number | undefined;
  /**
   * How due work is found, once a second in each process with the duty. The queue is woken only if
   * there is some. Instead of an interval of seconds, whose runs would mostly find nothing.
   */
  readonly due?: () => DueCheck;
  private watch: DutyWatch | undefined;
  /** Start of the last successful run. */
  private lookedAt = 0;

  /** Called by the runner before the worker is created. */
  attach(watch: DutyWatch): void {
    this.watch = watch;
  }

  /** Called by BullMQ, which repeats runs that throw. */
  override async process(job: Job): Promise<void> {
    await this.free(job);
    const dueAt = job.timestamp + (job.opts.delay ?? 0);
    // A timer or tick that was due before a later run started: that run has seen its work. Does not
    // apply if the clock was set back since.
    if (job.deduplicationId !== WAKE_KEY && dueAt <= this.lookedAt && this.lookedAt <= Date.now()) return;
    await this.measured(job.queueName, Math.max(0, Date.now() - dueAt));
  }

  @OnWorkerEvent('error')
  protected onError(error: Error): void {
    this.watch?.failed(error);
  }

  /** Looks for work and does it. */
  protected abstract run(run: DutyRun): Promise<void>;

  /**
   * Called before the run looks for work: later wake-ups cause another run. A server that is down
   * answers later; the end of the process does not wait for that, and the job is run elsewhere.
   */
  private async free(job: Job): Promise<void> {
    if (job.deduplicationId !== WAKE_KEY) return;
    const answer = job.removeDeduplicationKey().catch(() => false);
    await pTimeout(answer, { milliseconds: Infinity, signal: this.watch?.signal });
  }

  private async measured(queue: string, lagMs: number): Promise<void> {
    const watch = this.watch;
    if (watch === undefined) throw new Error(`the processor of ${queue} was not started by the DutyRunner`);
    const lookedAt = Date.now();
    const begun = performance.now();
    const report = (error?: unknown): void =>
      watch.ran(queue, { durationMs: performance.now() - begun, lagMs, error });
    try {
      await this.run({ signal: watch.signal });
      this.lookedAt = lookedAt;
      report();
    } catch (error) {
      report(error);
      throw error;
    }
  }
}
