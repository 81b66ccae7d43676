import type { Bus } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import { OUTBOX } from './outbox-event.js';
import { SLOTS, slotOf } from './shards/shard.js';

/** Bus channel that wakes relays. */
const CHANNEL = 'outbox';
/** Minimum distance between wake-ups. */
const COALESCE_MS = 3;

/**
 * Wakes the relay after commits that append events, in whichever process it runs. The first commit
 * wakes it immediately. Those of the next milliseconds share one message with the slots of their
 * spaces. The relay's poll makes up for lost messages.
 */
export class OutboxWakeups {
  private readonly telling: Loop;
  private readonly unsubscribe: () => void;
  /** Slots of spaces that the next message names. */
  private slots = new Set<number>();

  constructor(
    db: Db,
    private readonly bus: Bus,
  ) {
    this.telling = new Loop(() => this.tell(), { restMs: COALESCE_MS });
    this.unsubscribe = db.onSignal(OUTBOX, (spaceIds) => {
      for (const id of spaceIds) this.slots.add(slotOf(id));
      this.telling.wake();
    });
  }

  /**
   * Calls `listener` whenever there may be new events, with the slots of their spaces if known.
   */
  listen(listener: (slots?: number[]) => void): () => void {
    const heard = this.bus.subscribe(CHANNEL, (slots) => listener(slotsIn(slots)));
    const ends = [heard, this.bus.onReconnect(() => listener())];
    return () => ends.forEach((end) => end());
  }

  /** Sends the pending message and stops. */
  async close(): Promise<void> {
    this.unsubscribe();
    await this.telling.drain();
    await this.telling.stop();
  }

  private tell(): void {
    const slots = [...this.slots];
    this.slots = new Set();
    this.bus.publish(CHANNEL, slots);
  }
}

/** Returns undefined for any slot, which processes of older versions send as a number. */
function slotsIn(payload: unknown): number[] | undefined {
  if (!Array.isArray(payload) || payload.length === 0) return undefined;
  const slots = (payload as unknown[]).filter((slot): slot is number => Number.isInteger(slot));
  return slots.length === payload.length && slots.every((slot) => slot >= 0 && slot < SLOTS)
    ? slots
    : undefined;
}
