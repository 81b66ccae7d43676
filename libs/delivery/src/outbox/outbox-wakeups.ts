import type { Bus } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import { OUTBOX } from './outbox-event.js';
import { SLOTS, slotOf } from './shards/shard.js';

/** Bus channel that tells relays to look. */
const CHANNEL = 'outbox';
/** However many commits there are, the relay is told at most this often. */
const COALESCE_MS = 3;

/**
 * After a commit that appended events, tells the relay, wherever it runs. Coalesced: the first
 * commit tells at once, those of the next milliseconds share one message, which names the slots of
 * their spaces. Lost messages are made up for by the relay's own clock.
 */
export class OutboxWakeups {
  private readonly telling: Loop;
  private readonly unsubscribe: () => void;
  /** Of spaces that are to be told of. */
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
   * Calls `listener` whenever there may be new events, with the slots of their spaces where those
   * are known.
   */
  listen(listener: (slots?: number[]) => void): () => void {
    const heard = this.bus.subscribe(CHANNEL, (slots) => listener(slotsIn(slots)));
    const ends = [heard, this.bus.onReconnect(() => listener())];
    return () => ends.forEach((end) => end());
  }

  /** Tells what is still to be told, and ends. */
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

/** Undefined: anywhere, as processes of older versions say it with a number. */
function slotsIn(payload: unknown): number[] | undefined {
  if (!Array.isArray(payload) || payload.length === 0) return undefined;
  const slots = (payload as unknown[]).filter((slot): slot is number => Number.isInteger(slot));
  return slots.length === payload.length && slots.every((slot) => slot >= 0 && slot < SLOTS)
    ? slots
    : undefined;
}
