import { setTimeout as sleep } from 'node:timers/promises';
import type { Bus } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import { LocalRelay } from './local/local-relay.js';
import { OUTBOX } from './outbox-event.js';

/** Bus channel that wakes relays. */
const CHANNEL = 'outbox';
/** Minimum distance between wake-ups over the bus. */
const COALESCE_MS = 3;

/**
 * Wakes the relay after commits that append events, in whichever process it runs. The first commit
 * wakes it immediately. A relay on this machine is woken directly, and commits during a wake-up
 * share the next one. Otherwise the bus carries it, and those of the next milliseconds share one
 * message. The relay's poll makes up for lost messages.
 */
export class OutboxWakeups {
  private readonly telling: Loop;
  private readonly unsubscribe: () => void;

  constructor(
    db: Db,
    private readonly bus: Bus,
    private readonly local = new LocalRelay(undefined),
  ) {
    this.telling = new Loop(() => this.wakeRelay());
    this.unsubscribe = db.onSignal(OUTBOX, () => this.telling.wake());
  }

  /** Calls `listener` whenever there may be new events. */
  listen(listener: () => void): () => void {
    const ends = [this.bus.subscribe(CHANNEL, () => listener()), this.bus.onReconnect(() => listener())];
    return () => ends.forEach((end) => end());
  }

  /** Sends the pending message and stops. */
  async close(): Promise<void> {
    this.unsubscribe();
    await this.telling.drain();
    await this.telling.stop();
    this.local.close();
  }

  private async wakeRelay(): Promise<void> {
    if (await this.local.wake()) return;
    this.bus.publish(CHANNEL, null);
    await sleep(COALESCE_MS, undefined, { ref: false });
  }
}
