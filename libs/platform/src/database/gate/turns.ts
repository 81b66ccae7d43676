/** Lets at most so many pieces of work of one key run at a time; the others wait in the order in which they came. */
export class Turns {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** @param limit of one key */
  constructor(private readonly limit: number) {}

  /** Does the work when its turn comes. @returns what it answers */
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

  private wait(key: string): Promise<void> {
    return new Promise((resolve) => {
      const line = this.waiting.get(key);
      if (line) line.push(resolve);
      else this.waiting.set(key, [resolve]);
    });
  }

  /** The place goes to whoever waits longest. */
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
