/**
 * Serializes work with the same key within this process. Work with different keys runs
 * concurrently.
 */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @returns the result of `work`; failures of earlier work only reach its own callers */
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
