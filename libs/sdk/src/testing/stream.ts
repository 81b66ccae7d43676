import type { Client } from '../client.js';

/** An event of a person's stream (docs/streams.md). */
export interface PersonEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A person's event stream. Stores all events since it was opened, so that a test can look back. */
export class PersonStream {
  /** All events so far, in order. */
  readonly events: PersonEvent[] = [];
  /** Called with each event. */
  onEvent: ((event: PersonEvent) => void) | undefined;
  readonly #leave = new AbortController();
  readonly #wakers = new Set<() => void>();
  #ended = false;

  private constructor() {}

  /**
   * Opens a stream. Resolves when it is connected, so that all later events are received.
   * Reconnects after failures.
   * @throws TielineError when the server rejects it
   */
  static open(client: Client): Promise<PersonStream> {
    const stream = new PersonStream();
    return new Promise((resolve, reject) => {
      stream.#read(client, () => resolve(stream)).catch(reject);
    });
  }

  /**
   * Returns the first matching event from index `from` on. Waits for it if needed.
   * @param from an index of `events`
   * @returns undefined when none arrived in time
   */
  async next(
    isWanted: (event: PersonEvent) => boolean,
    { from = 0, timeoutMs = 10_000 }: { from?: number; timeoutMs?: number } = {},
  ): Promise<PersonEvent | undefined> {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const found = this.events.slice(from).find(isWanted);
      const left = deadline - performance.now();
      if (found || left <= 0 || this.#ended) return found;
      await this.#something(left);
    }
  }

  /** Closes the stream. */
  close(): void {
    this.#leave.abort();
  }

  #something(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#wakers.add(wake);
    });
  }

  async #read(client: Client, onOpen: () => void): Promise<void> {
    const options = { signal: this.#leave.signal, onOpen };
    try {
      for await (const { data } of client.stream<PersonEvent>('/api/v1/client/stream', options)) {
        this.events.push(data);
        this.onEvent?.(data);
        this.#wake();
      }
    } finally {
      this.#ended = true;
      this.#wake();
    }
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}
