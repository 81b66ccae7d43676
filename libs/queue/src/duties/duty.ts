import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import type { Job } from 'bullmq';
import pTimeout from 'p-timeout';

/** What a run is told. */
export interface DutyRun {
  /** Aborted when the process shuts down: finish the batch in hand and return. */
  readonly signal: AbortSignal;
}

/** What the process wants to know of its duties, for metrics and logs, and when it ends. */
export interface DutyWatch {
  readonly signal: AbortSignal;
  /**
   * A run is over; `error` when it threw. Times in milliseconds; `lagMs` from the moment it was
   * asked for.
   */
  ran(queue: string, result: { durationMs: number; lagMs: number; error?: unknown }): void;
  /** The worker told of an error that is none of a run. */
  failed(error: Error): void;
}

/**
 * A background duty: a processor that looks for work and does it, whenever its queue is woken and
 * by the clock. Jobs carry nothing; what there is to do is in the database. It may run on several
 * processes at a time: rows are claimed with locks.
 *
 * @example \@Processor('reminders', DUTY_OPTIONS) export class RemindersProcessor extends Duty {
 * override readonly everyMs = 1_000; protected override async run({ signal }: DutyRun):
 * Promise<void> { … } }
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
   * Before the run looks for work: what is woken from now on makes a run of its own. A server that
   * is away answers when it is back; the end of the process does not wait for that, and the job is
   * run elsewhere.
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
