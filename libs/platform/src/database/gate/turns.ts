/** Thrown when work could not start because its turn did not come in time. */
export class TurnMissed extends Error {
  readonly code = 'turn_missed';

  constructor(waitedMs: number) {
    super(`no turn within ${waitedMs} ms`);
  }
}

/** Limits the concurrent work per key. The rest queues in order of arrival. */
export class Turns {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /**
   * @param limit concurrent work per key
   * @param patienceMs how long work waits for its turn at most
   */
  constructor(
    private readonly limit: number,
    private readonly patienceMs: number,
  ) {}

  /** Does the work when its turn comes. @returns its result @throws TurnMissed */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const count = this.running.get(key) ?? 0;
    if (count < this.limit) this.running.set(key, count + 1);
    else await this.wait(key);
    try {
      return await work();
    } finally {
      this.pass(key);
    }
  }

  /**
   * Waits for a turn and keeps it. @returns a function that releases it; call it once @throws
   * TurnMissed
   */
  async hold(key: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const held = (): Promise<void> => new Promise((pass) => resolve(pass));
      this.take(key, held).catch(reject);
    });
  }

  private wait(key: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(key) ?? [];
      this.waiting.set(key, line);
      const begin = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) this.waiting.delete(key);
        reject(new TurnMissed(this.patienceMs));
      }, this.patienceMs).unref();
      line.push(begin);
    });
  }

  /** Hands the turn to the longest waiter. */
  private pass(key: string): void {
    const line = this.waiting.get(key);
    const next = line?.shift();
    if (line?.length === 0) this.waiting.delete(key);
    if (next) return next();
    const left = (this.running.get(key) ?? 1) - 1;
    if (left > 0) this.running.set(key, left);
    else this.running.delete(key);
  }
}
