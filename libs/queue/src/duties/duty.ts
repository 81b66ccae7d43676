import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import pTimeout from 'p-timeout';

/** Argument of a run. */
export interface DutyRun {
  /** Aborted when the process shuts down: finish the batch in hand and return. */
  readonly signal: AbortSignal;
}

/** Observes duties for metrics and logs, and provides the process's end. */
export interface DutyWatch {
  readonly signal: AbortSignal;
  /**
   * A run has ended, with `error` if it threw. Times in milliseconds. `lagMs` counts from the
   * request.
   */
  ran(queue: string, result: { durationMs: number; lagMs: number; error?: unknown }): void;
  /** The worker told of an error that is none of a run. */
  failed(error: Error): void;
}

/**
 * A background duty: a processor that looks for work and does it, whenever its queue wakes it and
 * periodically. Jobs carry no data, because the work is in the database. It may run in several
 * processes concurrently: rows are claimed with locks.
 *
 * @example
 *
 * ```ts
 * \@Processor('reminders', DUTY_OPTIONS)
 * export class RemindersProcessor extends Duty {
 *   override readonly everyMs = 1_000;
 *   protected override async run({ signal }: DutyRun): Promise<void> { … }
 * }
 * ```
 */
export abstract class Duty extends WorkerHost {
  /**
   * It also runs by itself: at the start of the process and this often, in milliseconds, a multiple
   * of 250. One run per tick over all processes.
   */
  readonly everyMs?: number | undefined;
  private watch: DutyWatch | undefined;
  /** When the last run that went well began. */
  private lookedAt = 0;

  /** Called by the runner before the worker is made. */
  attach(watch: DutyWatch): void {
    this.watch = watch;
  }

  /** What BullMQ calls. Errors are BullMQ's to repeat. */
  override async process(job: Job): Promise<void> {
    await this.free(job);
    const dueAt = job.timestamp + (job.opts.delay ?? 0);
    // A timer whose moment had come when a later run began: that one has seen its work. Not when
    // the clock was set back since.
    if (job.deduplicationId === undefined && dueAt <= this.lookedAt && this.lookedAt <= Date.now()) return;
    await this.measured(job.queueName, Math.max(0, Date.now() - dueAt));
  }

  @OnWorkerEvent('error')
  protected onError(error: Error): void {
    this.watch?.failed(error);
  }

  /** Looks for work and does it. */
  protected abstract run(run: DutyRun): Promise<void>;

  /**
   * Called before the run looks for work, so that later wake-ups cause another run. An unavailable
   * server responds when it is back. The end of the process does not wait for that, and the job
   * runs elsewhere.
   */
  private async free(job: Job): Promise<void> {
    if (job.deduplicationId === undefined) return;
    const answer = job.removeDeduplicationKey().catch(() => false);
    await pTimeout(answer, { milliseconds: Infinity, signal: this.watch?.signal });
  }

  private async measured(queue: string, lagMs: number): Promise<void> {
    const watch = this.watch;
    if (watch === undefined) throw new Error(`the processor of ${queue} was not started by the DutyRunner`);
    const lookedAt = Date.now();
    const begun = performance.now();
    const told = (error?: unknown): void =>
      watch.ran(queue, { durationMs: performance.now() - begun, lagMs, error });
    try {
      await this.run({ signal: watch.signal });
      this.lookedAt = lookedAt;
      told();
    } catch (error) {
      told(error);
      throw error;
    }
  }
}
