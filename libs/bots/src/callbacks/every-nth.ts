/**
 * Counts calls by key and reports every n-th one. Knows a limited number of keys; the least
 * recently used key is dropped first.
 */
export class EveryNth {
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly n: number,
    private readonly mostKeys: number,
  ) {}

  /** @returns whether this is the n-th call for the key since the last report */
  add(key: string): boolean {
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.delete(key);
    if (count >= this.n) return true;
    this.counts.set(key, count);
    const [oldest] = this.counts.keys();
    if (this.counts.size > this.mostKeys && oldest !== undefined) this.counts.delete(oldest);
    return false;
  }

  /** Number of known keys. */
  get size(): number {
    return this.counts.size;
  }
}
