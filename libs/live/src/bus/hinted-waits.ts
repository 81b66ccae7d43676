import type { Bus } from './bus.js';

/** Without a hint it is looked for so often. */
const LOOK_EVERY_MS = 500;

/** Somebody who waits. */
export interface HintedWait {
  /**
   * Looks at each hint, every half second without one, and once more when the time is over.
   * @param look gets whether the time is over
   * @returns what `look` found; undefined when it never did
   */
  find<Found>(ms: number, look: (over: boolean) => Promise<Found | undefined>): Promise<Found | undefined>;
  leave(): void;
}

/**
 * People who wait for a row that some process writes. A hint over the bus tells that there is one,
 * the row decides: a lost hint costs half a second. A wait holds no connection.
 */
export class HintedWaits {
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

  /** Call it after the commit. */
  announce(id: string): void {
    this.bus.publish(this.channel, { id });
  }

  /** Enter before whoever writes the row is asked, so that no hint is missed in between. */
  enter(id: string): HintedWait {
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

  /** A hint that came before the call counts. */
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
