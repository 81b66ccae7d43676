import { setImmediate as turn } from 'node:timers/promises';

interface HeldInterval {
  readonly run: () => void;
  readonly everyMs: number;
  dueAt: number;
}

/**
 * Holds the product's intervals of certain periods: after construction, `setInterval` with such a
 * period runs its callback only when {@link pass} lets time pass. A test can then distinguish the
 * effect of an event from that of the next period, however slow the machine is.
 */
export class HeldIntervals {
  private readonly held = new Map<unknown, HeldInterval>();
  /** Periods that nothing has used yet. */
  private readonly unused: Set<number>;
  private readonly set = globalThis.setInterval;
  private readonly clear = globalThis.clearInterval;
  private now = 0;

  /** @param periods of the intervals to hold, in milliseconds */
  constructor(...periods: number[]) {
    this.unused = new Set(periods);
    const hold = (run: () => void, everyMs = 0, ...args: []): NodeJS.Timeout => {
      if (!periods.includes(everyMs)) return this.set(run, everyMs, ...args);
      this.unused.delete(everyMs);
      // A real timer that never fires, for callers of `unref`.
      const timer = this.set(() => undefined, 2 ** 31 - 1);
      this.held.set(timer, { run, everyMs, dueAt: this.now + everyMs });
      return timer;
    };
    globalThis.setInterval = hold as typeof setInterval;
    globalThis.clearInterval = (timer) => {
      this.held.delete(timer);
      this.clear(timer);
    };
  }

  /**
   * Runs what is due within the next `ms` milliseconds, in order, one per event loop turn.
   * @throws Error if one of the periods was never used, perhaps because the product has another one
   */
  async pass(ms: number): Promise<void> {
    if (this.unused.size > 0) throw new Error(`no interval of ${[...this.unused].join(', ')} ms was set`);
    const end = this.now + ms;
    for (let next = this.next(end); next; next = this.next(end)) {
      this.now = next.dueAt;
      next.dueAt += next.everyMs;
      next.run();
      await turn();
    }
    this.now = end;
  }

  /** Restores `setInterval`. Held intervals never run again. */
  release(): void {
    globalThis.setInterval = this.set;
    globalThis.clearInterval = this.clear;
  }

  private next(end: number): HeldInterval | undefined {
    const due = [...this.held.values()].filter(({ dueAt }) => dueAt <= end);
    return due.sort((a, b) => a.dueAt - b.dueAt)[0];
  }
}
