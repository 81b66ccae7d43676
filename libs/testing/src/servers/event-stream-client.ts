import { get } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { slackMs } from '../slack.js';

type Json = Record<string, unknown>;

/**
 * A small reader of our event streams, for tests and tools; a product would use its platform's own.
 */
export class EventStreamClient {
  /** Every event so far, in order. */
  readonly events: Json[] = [];
  /** The ids of those that have one. */
  readonly ids: string[] = [];
  /** Times of the keep-alive lines, in milliseconds since the epoch. */
  readonly pings: number[] = [];
  /** The body of an answer that is no stream. */
  body = '';
  /** Whether the server, the network or {@link close} has ended it. */
  ended = false;
  private readonly watchers = new Set<() => void>();
  private rest = '';

  private constructor(private readonly response: IncomingMessage) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => this.read(chunk));
    response.on('error', () => undefined);
    response.on('close', () => {
      this.ended = true;
      this.wake();
    });
  }

  /**
   * Sends the request and resolves as soon as the headers are there. Without a token: by what
   * `headers` say.
   */
  static open(
    url: string,
    token: string | undefined,
    headers: Record<string, string> = {},
  ): Promise<EventStreamClient> {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return new Promise((resolve, reject) => {
      const request = get(url, { agent: false, headers: { ...headers, ...authorization } });
      request.once('response', (response) => resolve(new EventStreamClient(response)));
      request.once('error', reject);
    });
  }

  get status(): number {
    return this.response.statusCode ?? 0;
  }

  get headers(): IncomingHttpHeaders {
    return this.response.headers;
  }

  /**
   * Resolves once `done` is true; looks again after each thing that arrives. @throws Error after
   * `timeoutMs`
   */
  until(done: (stream: this) => boolean, timeoutMs = 10_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => end(() => reject(new Error(`not after ${timeoutMs} ms; ${this.described()}`))),
        timeoutMs + slackMs,
      );
      const look = (): void => (done(this) ? end(resolve) : undefined);
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        this.watchers.delete(look);
        settle();
      };
      this.watchers.add(look);
      look();
    });
  }

  /** Stops reading from the network, as a stuck client does. */
  pause(): void {
    this.response.socket.pause();
  }

  resume(): void {
    this.response.socket.resume();
  }

  /** Leaves. */
  close(): void {
    this.response.destroy();
  }

  /**
   * How many came of each kind, and the last of them: a gap, an end and mere slowness look
   * different.
   */
  private described(): string {
    const kinds: Record<string, number> = {};
    for (const { event } of this.events) kinds[String(event)] = (kinds[String(event)] ?? 0) + 1;
    const last = JSON.stringify(this.events.slice(-5)).slice(0, 2000);
    return `${this.ended ? 'ended after' : 'got'} ${JSON.stringify(kinds)}, at last ${last}`;
  }

  private read(chunk: string): void {
    const lines = (this.rest + chunk).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === ':ping') this.pings.push(Date.now());
      else if (line.startsWith('id: ')) this.ids.push(line.slice(4));
      else if (line.startsWith('data: ')) this.events.push(JSON.parse(line.slice(6)) as Json);
    }
    if (this.status !== 200) this.body += chunk;
    this.wake();
  }

  private wake(): void {
    for (const look of [...this.watchers]) look();
  }
}
