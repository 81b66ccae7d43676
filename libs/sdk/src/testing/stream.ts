import type { Client } from '../client.js';

/** What comes over a person's stream: `event` says what it is (docs/streams.md). */
export interface PersonEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A person's stream of events from the moment it was opened, kept so that a test can look back. */
export class PersonStream {
  /** Everything that came, in order. */
  readonly events: PersonEvent[] = [];
  /** Called with each event as it comes. */
  onEvent: ((event: PersonEvent) => void) | undefined;
  readonly #leave = new AbortController();
  readonly #wakers = new Set<() => void>();
  #ended = false;

  private constructor() {}

  /**
   * Resolves once a connection stands: what happens from now on will come. One that is lost is
   * opened again.
   * @throws TielineError when the server refuses
   */
  static open(client: Client): Promise<PersonStream> {
    const stream = new PersonStream();
    return new Promise((resolve, reject) => {
      stream.#read(client, () => resolve(stream)).catch(reject);
    });
  }

  /**
   * The first event from `from` on that satisfies the question, waiting for it if need be.
   * @param from an index of `events`
   * @returns undefined when none came in time
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

  /** Leaves. */
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
