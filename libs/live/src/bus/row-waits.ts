import type { Bus } from './bus.js';

/** Poll interval without a hint. */
const LOOK_EVERY_MS = 500;

/** A waiter for a row. */
export interface RowWait {
  /**
   * Calls `look` at each hint, every half second without one, and once more at the timeout.
   *
   * @param look gets whether the time is over
   * @returns the first result of `look`, or undefined
   */
  find<Found>(ms: number, look: (over: boolean) => Promise<Found | undefined>): Promise<Found | undefined>;
  leave(): void;
}

/**
 * Waits for a row that some process writes. A hint over the bus announces the row, and the database
 * decides, so a lost hint costs half a second. A wait holds no connection.
 */
export class RowWaits {
  private readonly waiting = new Map<string, () => void>();
  private end: (() => void) | undefined;

  constructor(
    private readonly bus: Bus,
    private readonly channel: string,
  ) {}

  listen(): void {
    this.end = this.bus.subscribe(this.channel, (hint) => this.waiting.get((hint as { id: string }).id)?.());
  }

  close(): void {
    this.end?.();
  }

  /** Announces the row. Call it after the commit. */
  announce(id: string): void {
    this.bus.publish(this.channel, { id });
  }

  /** Registers a waiter. Call it before the row is requested, so that no hint is missed. */
  enter(id: string): RowWait {
    const hints = new Hints();
    this.waiting.set(id, () => hints.take());
    return {
      find: async (ms, look) => {
        const until = performance.now() + ms;
        for (;;) {
          const left = until - performance.now();
          await hints.next(Math.min(Math.max(left, 0), LOOK_EVERY_MS));
          const found = await look(left <= 0);
          if (found !== undefined || left <= 0) return found;
        }
      },
      leave: () => this.waiting.delete(id),
    };
  }
}

class Hints {
  private pending = false;
  private wake: (() => void) | undefined;

  take(): void {
    this.pending = true;
    this.wake?.();
  }

  /** A hint received before the call counts. */
  async next(ms: number): Promise<void> {
    if (!this.pending)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.pending = false;
  }
}
