import type { JobsOptions } from 'bullmq';
import pTimeout from 'p-timeout';
import { microBatch } from '@tieline/platform/database';
import type { BullBackend, OpenQueue } from './bull-backend.js';
import { BullConnection } from './bull-connection.js';
import type { JobName } from './jobs.js';
import { Queue } from './queue.js';
import type { QueueEvents } from './queue.js';
import { nextTick, refreshDelay, slotOf } from './slots.js';

/** Nothing here takes longer, in milliseconds. */
const DEADLINE_MS = 2_000;

/** {@link Queue} on BullMQ. */
export class CoalescingQueue extends Queue {
  private readonly connection: BullConnection<OpenQueue>;
  private readonly wakes = new Map<JobName, () => Promise<boolean>>();
  private readonly timers = new Map<string, Promise<boolean>>();
  private readonly ticks = new Set<() => void>();

  constructor(
    backend: BullBackend,
    private readonly events: QueueEvents = {},
  ) {
    super();
    this.connection = new BullConnection(
      () => backend.openQueue(),
      (error) => this.events.failed?.(error),
    );
  }

  /** Resolves once the server was reached for the first time. */
  async opened(): Promise<void> {
    await this.connection.opened;
  }

  override wake(job: JobName): Promise<boolean> {
    const known = this.wakes.get(job) ?? this.wakeUpOf(job);
    this.wakes.set(job, known);
    return known();
  }

  override wakeAt(job: JobName, at: Date): Promise<boolean> {
    const now = Date.now();
    if (at.getTime() <= now) return this.wake(job);
    return this.timer(job, slotOf(at.getTime(), now));
  }

  override every(job: JobName, intervalMs: number): () => void {
    if (!(intervalMs >= 100)) throw new Error('an interval has at least 100 ms');
    let timeout: NodeJS.Timeout | undefined;
    const refresh = (): void => {
      const now = Date.now();
      void this.timer(job, nextTick(now, intervalMs));
      timeout = setTimeout(refresh, refreshDelay(now, intervalMs));
      timeout.unref();
    };
    const end = (): void => {
      clearTimeout(timeout);
      this.ticks.delete(end);
    };
    this.ticks.add(end);
    void this.connection.opened.then(() => this.ticks.has(end) && refresh());
    return end;
  }

  override async check(): Promise<void> {
    await withinDeadline(this.openQueue().getJobCounts('waiting'));
  }

  override async close(): Promise<void> {
    for (const end of [...this.ticks]) end();
    await this.connection.close();
  }

  /** One wake-up on its way at a time; what is asked for meanwhile shares the next one. */
  private wakeUpOf(job: JobName): () => Promise<boolean> {
    const wakeAll = async (callers: void[]): Promise<boolean[]> => {
      // The key is dropped by the host when the run begins, so a wake-up that comes later makes a run of its own.
      const woken = await this.add(job, { deduplication: { id: job } });
      return callers.map(() => woken);
    };
    return microBatch(wakeAll, { maxBatch: Infinity });
  }

  /** One timer per job and slot in all processes; calls while it is being set share it. */
  private timer(job: JobName, slot: number): Promise<boolean> {
    const jobId = `${job}@${slot}`;
    const underWay = this.timers.get(jobId);
    if (underWay !== undefined) return underWay;
    const adding = this.add(job, { jobId, delay: Math.max(slot - Date.now(), 0) }).finally(() =>
      this.timers.delete(jobId),
    );
    this.timers.set(jobId, adding);
    return adding;
  }

  private async add(job: JobName, options: JobsOptions): Promise<boolean> {
    try {
      await withinDeadline(this.openQueue().add(job, {}, options));
      return true;
    } catch (error) {
      this.events.wakeFailed?.(job, error as Error);
      return false;
    }
  }

  private openQueue(): OpenQueue['queue'] {
    const open = this.connection.value;
    if (open === undefined) throw new Error('the queue is not connected');
    return open.queue;
  }
}

async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  return pTimeout(work, {
    milliseconds: DEADLINE_MS,
    message: `the queue did not answer within ${DEADLINE_MS} ms`,
  });
}
