import type { Bus } from '@tieline/live';
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
  private quiet = false;
  private pending = false;
  private unsubscribe: () => void;

  constructor(
    db: Db,
    private readonly bus: Bus,
  ) {
    this.unsubscribe = db.onSignal(OUTBOX, () => this.tell());
  }

  /** Calls `listener` whenever there may be new events. */
  listen(listener: () => void): () => void {
    const ends = [this.bus.subscribe(CHANNEL, listener), this.bus.onReconnect(listener)];
    return () => ends.forEach((end) => end());
  }

  close(): void {
    this.unsubscribe();
  }

  private tell(): void {
    if (this.quiet) {
      this.pending = true;
      return;
    }
    this.bus.publish(CHANNEL, 1);
    this.quiet = true;
    setTimeout(() => {
      this.quiet = false;
      if (this.pending) {
        this.pending = false;
        this.tell();
      }
    }, COALESCE_MS);
  }
}
