import { Signal } from '@tieline/background';
import type { Bus } from './bus.js';

/** Poll interval without a hint. */
const POLL_INTERVAL_MS = 500;

/**
 * Waits for a row that some process writes. A hint over the bus announces the row, and the database
 * decides, so a lost hint costs half a second. A wait holds no connection.
 */
export class RowWaits {
  private readonly waiting = new Map<string, Signal>();
  private end: (() => void) | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly channel: string,
  ) {}

  listen(): void {
    this.end = this.bus.subscribe(this.channel, (hint) =>
      this.waiting.get((hint as { id: string }).id)?.notify(),
    );
  }

  close(): void {
    this.end?.();
  }

  /** Announces the row. Call it after the commit. */
  announce(id: string): void {
    this.bus.publish(this.channel, { id });
  }

  /**
   * Waits for the row. Calls `look` immediately, at each hint, every half second without one, and
   * once more at the timeout.
   *
   * @param look gets whether the time is over
   * @returns the first result of `look`, or undefined
   */
  async find<Found>(
    id: string,
    ms: number,
    look: (over: boolean) => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const until = performance.now() + ms;
    const hints = new Signal();
    this.waiting.set(id, hints);
    try {
      for (;;) {
        const left = until - performance.now();
        const found = await look(left <= 0);
        if (found !== undefined || left <= 0) return found;
        await hints.wait(Math.min(left, POLL_INTERVAL_MS));
      }
    } finally {
      this.waiting.delete(id);
    }
  }
}
