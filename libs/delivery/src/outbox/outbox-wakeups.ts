import type { Bus } from '@tieline/live';
import { Loop } from '@tieline/background';
import type { Db } from '@tieline/platform/database';
import { OUTBOX } from './outbox-event.js';

/** Bus channel that tells relays to look. */
const CHANNEL = 'outbox';
/** However many commits there are, the relay is told at most this often. */
const COALESCE_MS = 3;

/**
 * After a commit that appended events, tells the relay, wherever it runs. Coalesced: the first commit tells at once,
 * those of the next milliseconds share one message. Lost messages are made up for by the relay's own clock.
 */
export class OutboxWakeups {
  private readonly telling: Loop;
  private readonly unsubscribe: () => void;

  constructor(
    db: Db,
    private readonly bus: Bus,
  ) {
    this.telling = new Loop(() => bus.publish(CHANNEL, 1), { restMs: COALESCE_MS });
    this.unsubscribe = db.onSignal(OUTBOX, () => this.telling.wake());
  }

  /** Calls `listener` whenever there may be new events. */
  listen(listener: () => void): () => void {
    const ends = [this.bus.subscribe(CHANNEL, listener), this.bus.onReconnect(listener)];
    return () => ends.forEach((end) => end());
  }

  /** Tells what is still to be told, and ends. */
  async close(): Promise<void> {
    this.unsubscribe();
    await this.telling.drain();
    await this.telling.stop();
  }
}
