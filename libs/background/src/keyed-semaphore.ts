import { Signal } from './signal.js';

/** Thrown when no permit was free in time. */
export class TurnMissed extends Error {
  readonly code = 'turn_missed';

  constructor(waitedMs: number) {
    super(`no turn within ${waitedMs} ms`);
  }
}

/** Returns a permit. Further calls have no effect. */
export type Release = () => void;

interface Entry {
  held: number;
  /** In order of arrival. */
  readonly queue: Set<Signal>;
}

/** Limits the concurrent work per key in this process. The rest queues in order of arrival. */
export class KeyedSemaphore {
  private readonly entries = new Map<string, Entry>();

  /**
   * @param permits concurrent work per key
   * @param maxWaitMs maximum wait for a permit in milliseconds, unlimited by default
   */
  constructor(
    private readonly permits: number,
    private readonly maxWaitMs = Infinity,
  ) {}

  /** Runs the work when a permit is free. @returns its result @throws TurnMissed */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const release = await this.acquire(key);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Waits for a permit and takes it. @throws TurnMissed */
  async acquire(key: string, maxWaitMs = this.maxWaitMs): Promise<Release> {
    const entry = this.entry(key);
    if (entry.held < this.permits) return this.take(key, entry);
    const signal = new Signal();
    entry.queue.add(signal);
    // If the signal has left the queue, the permit was handed over at the last moment.
    if (!(await signal.wait(maxWaitMs)) && entry.queue.delete(signal)) throw new TurnMissed(maxWaitMs);
    return this.releaseOf(key, entry);
  }

  /** Takes a permit if one is free. */
  tryAcquire(key: string): Release | undefined {
    const entry = this.entry(key);
    return entry.held < this.permits ? this.take(key, entry) : undefined;
  }

  private entry(key: string): Entry {
    return this.entries.get(key) ?? { held: 0, queue: new Set() };
  }

  private take(key: string, entry: Entry): Release {
    entry.held += 1;
    this.entries.set(key, entry);
    return this.releaseOf(key, entry);
  }

  private releaseOf(key: string, entry: Entry): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = entry.queue;
      if (next) {
        // The permit passes to the longest waiter.
        entry.queue.delete(next);
        next.notify();
      } else if ((entry.held -= 1) === 0) this.entries.delete(key);
    };
  }
}
