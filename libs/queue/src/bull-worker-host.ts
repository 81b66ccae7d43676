import type { Job } from 'bullmq';
import type { BullBackend, OpenWorker } from './bull-backend.js';
import { JobGate } from './job-gate.js';
import type { JobName } from './jobs.js';
import { BullConnection } from './bull-connection.js';
import { QueueWorkerHost } from './queue.js';
import type { JobHandler, JobOptions, QueueEvents } from './queue.js';

interface Registration {
  handler: JobHandler;
  everyMs: number | undefined;
  gate: JobGate;
}

/** {@link QueueWorkerHost} on BullMQ: one worker takes the wake-ups of all jobs. */
export class BullWorkerHost extends QueueWorkerHost {
  private readonly registrations = new Map<JobName, Registration>();
  private readonly closing = new AbortController();
  private concurrency = 0;
  private connection: BullConnection<OpenWorker> | undefined;

  /** @param expected the jobs that must have a handler; they are woken from elsewhere */
  constructor(
    private readonly backend: BullBackend,
    private readonly events: QueueEvents = {},
    private readonly expected: readonly JobName[] = [],
  ) {
    super();
  }

  override get running(): boolean {
    return !this.closing.signal.aborted && (this.connection?.value?.worker.isRunning() ?? false);
  }

  override get jobs(): ReadonlyMap<JobName, { readonly everyMs?: number | undefined }> {
    return this.registrations;
  }

  override register(job: JobName, handler: JobHandler, { concurrency = 1, everyMs }: JobOptions = {}): void {
    if (this.registrations.has(job)) throw new Error(`the job ${job} has two handlers`);
    if (this.connection !== undefined) throw new Error(`the job ${job} got its handler after the start`);
    this.registrations.set(job, { handler, everyMs, gate: new JobGate(concurrency) });
    this.concurrency += concurrency;
  }

  override async start(): Promise<void> {
    const missing = this.expected.filter((job) => !this.registrations.has(job));
    if (missing.length > 0)
      throw new Error(`no handler for the job${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`);
    // One more than all gates let through: a wake-up for a busy job always finds a slot, and leaves it at once.
    this.connection ??= new BullConnection(
      () => this.backend.openWorker((job) => this.process(job), this.concurrency + 1),
      (error) => this.events.failed?.(error),
    );
    await this.connection.opened;
  }

  override async close(): Promise<void> {
    this.closing.abort();
    await this.connection?.close();
  }

  private async process(job: Job): Promise<void> {
    // Before the handler looks for work: what is woken from now on makes a run of its own.
    if (job.deduplicationId !== undefined) await job.removeDeduplicationKey().catch(() => false);
    const registration = this.registrations.get(job.name as JobName);
    if (registration === undefined) throw new Error(`no handler for the job ${job.name}`);
    const lagMs = Math.max(0, Date.now() - job.timestamp - (job.opts.delay ?? 0));
    await registration.gate.enter(
      () => this.run(job.name as JobName, registration.handler, lagMs),
      () => !this.closing.signal.aborted,
    );
  }

  private async run(job: JobName, handler: JobHandler, lagMs: number): Promise<void> {
    const begun = performance.now();
    try {
      await handler({ job, signal: this.closing.signal });
      this.events.handled?.(job, { durationMs: performance.now() - begun, lagMs });
    } catch (error) {
      this.events.handled?.(job, { durationMs: performance.now() - begun, lagMs, error: error as Error });
      throw error;
    }
  }
}
