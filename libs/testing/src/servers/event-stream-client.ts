import { get } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { slackMs } from '../slack.js';

type Json = Record<string, unknown>;

/** A small client for event streams, for tests and tools. */
export class EventStreamClient {
  /** All events so far, in order. */
  readonly events: Json[] = [];
  /** Ids of the events that have one. */
  readonly ids: string[] = [];
  /** Times of the keep-alive lines, in milliseconds since the epoch. */
  readonly pings: number[] = [];
  /** The body of a response that is not a stream. */
  body = '';
  /** Whether the server, the network or {@link close} has ended the stream. */
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
   * Sends the request and resolves when the headers arrive. Without a token, `headers` must
   * authenticate the request.
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
   * Resolves when `done` returns true; checks it after each event. @throws Error after `timeoutMs`
   */
  until(done: (stream: this) => boolean, timeoutMs = 20_000): Promise<void> {
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

  /** Stops reading from the network, like a stuck client. */
  pause(): void {
    this.response.socket.pause();
  }

  resume(): void {
    this.response.socket.resume();
  }

  /** Closes the connection. */
  close(): void {
    this.response.destroy();
  }

  /**
   * Describes the received events: counts by type and the last one, which distinguishes a gap, an
   * end and slowness.
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
