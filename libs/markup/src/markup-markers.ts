/** The open markers of a line. Each is added and removed once, so that the work is linear. */
export class OpenMarkers {
  private readonly kinds: string[] = [];
  private readonly places: number[] = [];
  private counts: Record<string, number> = { '*': 0, _: 0, '~': 0 };

  push(kind: string, place: number): void {
    this.kinds.push(kind);
    this.places.push(place);
    this.counts[kind] = this.count(kind) + 1;
  }

  has(kind: string): boolean {
    return this.count(kind) > 0;
  }

  /**
   * Removes and returns the position of the latest marker of a kind, if any. Discards later markers
   * of other kinds.
   */
  take(kind: string): number | undefined {
    while (this.has(kind)) {
      const latest = this.kinds.pop() as string;
      const place = this.places.pop();
      this.counts[latest] = this.count(latest) - 1;
      if (latest === kind) return place;
    }
    return undefined;
  }

  clear(): void {
    if (this.kinds.length === 0) return;
    this.kinds.length = 0;
    this.places.length = 0;
    this.counts = { '*': 0, _: 0, '~': 0 };
  }

  private count(kind: string): number {
    return this.counts[kind] ?? 0;
  }
}
