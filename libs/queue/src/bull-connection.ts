import { untilItWorks } from '@tieline/platform/background';

const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1_000;

/** Something that can be closed. */
export interface Closable {
  close(): Promise<void>;
}

/**
 * BullMQ's connection, opened again and again until it works: BullMQ remembers a failed first contact for ever, so that it
 * has to be made anew. Once it has been connected it looks after itself.
 */
export class BullConnection<T extends Closable> {
  /** Settles when it was opened, or closed before that. */
  readonly opened: Promise<T | undefined>;
  private current: T | undefined;
  private readonly closing = new AbortController();

  constructor(open: () => Promise<T>, failed: (error: Error) => void) {
    const attempt = async (): Promise<T> => (this.current = await open());
    const { signal } = this.closing;
    this.opened = untilItWorks(attempt, { firstMs: FIRST_RETRY_MS, lastMs: LAST_RETRY_MS, signal, failed });
  }

  /** What was opened; undefined before it worked and after close. */
  get value(): T | undefined {
    return this.current;
  }

  async close(): Promise<void> {
    this.closing.abort();
    const opened = await this.opened;
    this.current = undefined;
    await opened?.close();
  }
}
