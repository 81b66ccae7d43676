import type { JobsOptions, Queue as BullQueue } from 'bullmq';
import { withinDeadline } from '@tieline/background';
import { microBatch } from '@tieline/platform/database';
import { WAKE_KEY } from './bull-options.js';
import type { QueueObserver } from './queue-observer.js';
import type { QueueServer } from './queue-server.js';
import { Queue } from './queue.js';
import { slotOf } from './slots.js';

/** Timeout of every call, in milliseconds. */
const DEADLINE_MS = 2_000;
const LATE = 'the queue did not answer';
/** The name of a job; it has no data. */
const RUN = 'run';
/** The deduplication key of a tick. The server removes it after half of the interval. */
const TICK_KEY = 'tick';

/** {@link Queue} on BullMQ. */
export class CoalescingQueue extends Queue {
  private readonly wakes = new Map<string, () => Promise<boolean>>();
  private readonly timers = new Map<string, Promise<boolean>>();
  private reached = false;

  /** @param find returns the BullMQ queue of that name; throws when the app has registered none */
  constructor(
    private readonly server: QueueServer,
    private readonly find: (queue: string) => BullQueue,
    private readonly observer: Pick<QueueObserver, 'wakeFailed'>,
  ) {
    super();
    void server.reached.then((reached) => (this.reached = reached === true));
  }

  override wake(queue: string): Promise<boolean> {
    const known = this.wakes.get(queue) ?? this.wakeUpOf(queue);
    this.wakes.set(queue, known);
    return known();
  }

  override wakeAt(queue: string, at: Date): Promise<boolean> {
    const now = Date.now();
    if (at.getTime() <= now) return this.wake(queue);
    return this.timer(queue, slotOf(at.getTime(), now));
  }

  override tick(queue: string, everyMs: number): Promise<boolean> {
    return this.add(queue, { deduplication: { id: TICK_KEY, ttl: everyMs / 2 } });
  }

  override async check(): Promise<void> {
    await withinDeadline(this.server.check(), DEADLINE_MS, LATE);
  }

  /** From now on wake-ups resolve false. */
  close(): void {
    this.reached = false;
  }

  /** One wake-up is sent at a time; further requests share the next one. */
  private wakeUpOf(queue: string): () => Promise<boolean> {
    const wakeAll = async (callers: void[]): Promise<boolean[]> => {
      // The key is removed when the run starts, so a later wake-up causes another run.
      const woken = await this.add(queue, { deduplication: { id: WAKE_KEY } });
      return callers.map(() => woken);
    };
    return microBatch(wakeAll, { maxBatch: Infinity });
  }

  /** One timer per queue and slot in all processes; concurrent calls share it. */
  private timer(queue: string, slot: number): Promise<boolean> {
    const key = `${queue}@${slot}`;
    const underWay = this.timers.get(key);
    if (underWay !== undefined) return underWay;
    const delay = Math.max(slot - Date.now(), 0);
    const adding = this.add(queue, { jobId: `at-${slot}`, delay }).finally(() => this.timers.delete(key));
    this.timers.set(key, adding);
    return adding;
  }

  private async add(queue: string, options: JobsOptions): Promise<boolean> {
    const bull = this.find(queue);
    try {
      if (!this.reached) throw new Error('the queue is not connected');
      await withinDeadline(bull.add(RUN, {}, options), DEADLINE_MS, LATE);
      return true;
    } catch {
      this.observer.wakeFailed(queue);
      return false;
    }
  }
}
