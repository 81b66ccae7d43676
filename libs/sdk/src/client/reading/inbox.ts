/** What has come and was not taken yet, for one taker. */
export class Inbox<Item> {
  private readonly items: Item[] = [];
  private failure: { error: unknown } | undefined;
  private ended = false;
  private wake: (() => void) | undefined;

  put(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  /** Nothing more is handed out. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** The taker hears of it after what has come before. */
  fail(error: unknown): void {
    this.failure = { error };
    this.wake?.();
  }

  /** The next item; undefined at the end. @throws what it was told to fail with */
  async next(): Promise<Item | undefined> {
    while (!this.ended && !this.failure && this.items.length === 0)
      await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.ended) return undefined;
    if (this.items.length > 0) return this.items.shift();
    throw this.failure?.error;
  }
}
