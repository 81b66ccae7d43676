/**
 * Runs work of the same key one after the other, and work of different keys in parallel, within
 * this process.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @returns what `work` answers; earlier failures are their callers' own */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === mine) this.last.delete(key);
    }
  }
}
