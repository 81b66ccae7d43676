/** A queue of received items for one consumer. */
export class Inbox<Item> {
  private readonly items: Item[] = [];
  private failure: { error: unknown } | undefined;
  private ended = false;
  private wake: (() => void) | undefined;

  put(item: Item): void {
    this.items.push(item);
    this.wake?.();
  }

  /** Ends the queue immediately. */
  end(): void {
    this.ended = true;
    this.wake?.();
  }

  /** Fails the consumer after the items received so far. */
  fail(error: unknown): void {
    this.failure = { error };
    this.wake?.();
  }

  /** Returns the next item, or undefined at the end. @throws the error passed to `fail` */
  async next(): Promise<Item | undefined> {
    while (!this.ended && !this.failure && this.items.length === 0)
      await new Promise<void>((resolve) => (this.wake = resolve));
    if (this.ended) return undefined;
    if (this.items.length > 0) return this.items.shift();
    throw this.failure?.error;
  }
}
