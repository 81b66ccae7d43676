/**
 * Counts by key and tells of every n-th time. It knows a bounded number of keys; the one that has
 * not come for longest is forgotten first.
 */
export class EveryNth {
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly n: number,
    private readonly mostKeys: number,
  ) {}

  /** @returns whether the key has come n times since the last time that this was so */
  add(key: string): boolean {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    if (count >= this.n) return true;
    this.counts.set(key, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > this.mostKeys && oldest !== undefined) this.counts.delete(oldest);
    return false;
  }

  /** Keys that are known. */
  get size(): number {
    return this.counts.size;
  }
}
