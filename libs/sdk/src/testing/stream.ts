import type { Client } from '../client.js';

/** What comes over a person's stream: `event` says what it is (docs/streams.md). */
export interface StreamEvent {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** A person's stream of events from the moment it was opened, kept so that a test can look back. */
export class PersonStream {
  /** Everything that came, in order. */
  readonly events: StreamEvent[] = [];
  /** Called with each event as it comes. */
  onEvent: ((event: StreamEvent) => void) | undefined;
  readonly #leave = new AbortController();
  readonly #wakers = new Set<() => void>();
  #ended = false;

  private constructor() {}

  /**
   * Resolves once the server has answered: what happens from now on will come.
   * @throws TielineError when the server refuses or is away
   */
  static async open(client: Client): Promise<PersonStream> {
    const stream = new PersonStream();
    const answer = await client.fetch(client.address('/api/v1/client/stream'), {
      signal: stream.#leave.signal,
    });
    if (!answer.ok || !answer.body) throw new Error(`the stream was refused with ${answer.status}`);
    void stream.#read(answer.body).catch(() => undefined);
    return stream;
  }

  /**
   * The first event from `from` on that satisfies the question, waiting for it if need be.
   * @param from an index of `events`
   * @returns undefined when none came in time
   */
  async next(
    isWanted: (event: StreamEvent) => boolean,
    { from = 0, timeoutMs = 10_000 }: { from?: number; timeoutMs?: number } = {},
  ): Promise<StreamEvent | undefined> {
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

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const bytes of body) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) if (line.startsWith('data: ')) this.#take(line.slice('data: '.length));
      }
    } finally {
      this.#ended = true;
      this.#wake();
    }
  }

  #take(json: string): void {
    const event = JSON.parse(json) as StreamEvent;
    this.events.push(event);
    this.onEvent?.(event);
    this.#wake();
  }

  #wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }
}
