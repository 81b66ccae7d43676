import { setTimeout as sleep } from 'node:timers/promises';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** Something that can be closed. */
export interface Closable {
  close(): Promise<void>;
}

/**
 * Opens something, again and again until it works. BullMQ remembers a failed first connection for ever, so that it has
 * to be made anew; once it has been connected it looks after itself.
 */
export class Kept<T extends Closable> {
  /** Settles with the opened thing, or undefined when it was closed before. */
  readonly opened: Promise<T | undefined>;
  private current: T | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly open: () => Promise<T>,
    private readonly failed: (error: Error) => void,
  ) {
    this.opened = this.openUntilItWorks();
  }

  /** The opened thing; undefined before it worked and after close. */
  get value(): T | undefined {
    return this.current;
  }

  async close(): Promise<void> {
    this.closing.abort();
    const opened = await this.opened;
    this.current = undefined;
    await opened?.close();
  }

  private async openUntilItWorks(): Promise<T | undefined> {
    for (
      let delay = FIRST_RETRY_MS;
      !this.closing.signal.aborted;
      delay = Math.min(delay * 2, LAST_RETRY_MS)
    ) {
      try {
        this.current = await this.open();
        return this.current;
      } catch (error) {
        this.failed(error as Error);
      }
      await sleep(delay, undefined, { signal: this.closing.signal }).catch(() => undefined);
    }
    return undefined;
  }
}
