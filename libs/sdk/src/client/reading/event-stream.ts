import type { Door } from '../door.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { errorOfAnswer } from '../http/answers.js';
import { rest } from '../http/waiting.js';

/** One event of a stream (docs/streams.md). */
export interface StreamEvent<Data = unknown> {
  /** Where a later reading can go on, if the stream has such ids. */
  readonly id: string | undefined;
  readonly data: Data;
}

export interface StreamOptions extends ReadingOptions {
  /** The last `id` of an earlier reading. */
  readonly lastEventId?: string;
  /**
   * A connection on which nothing comes for so long is dead. Default: 75,000, two and a half of the
   * server's pings.
   */
  readonly silenceMs?: number;
  /** Called whenever a connection stands: from now on everything comes. */
  readonly onOpen?: () => void;
}

/**
 * Server-sent events, without an end: a connection that ends, fails or falls silent is opened
 * again, with `Last-Event-ID`. While the loop's body works nothing is read; the server ends readers
 * that are too slow, and then what is kept comes again.
 * @throws TielineError when trying again can't help: a revoked token
 */
export async function* readStream<Data>(
  door: Door,
  path: string,
  options: StreamOptions = {},
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  const { signal, onTrouble, onOpen, silenceMs = 75_000 } = options;
  const reconnects = new Reconnects();
  let last = options.lastEventId;
  const opened = () => {
    reconnects.succeeded();
    onOpen?.();
  };
  while (!signal?.aborted) {
    let failure: unknown;
    try {
      for await (const event of connection<Data>(door, path, last, { signal, silenceMs, opened })) {
        last = event.id ?? last;
        yield event;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
      onTrouble?.((failure = error));
    }
    await rest(reconnects.next(failure), signal).catch(() => undefined);
  }
}

interface Connection {
  readonly signal: AbortSignal | undefined;
  readonly silenceMs: number;
  readonly opened: () => void;
}

async function* connection<Data>(
  door: Door,
  path: string,
  last: string | undefined,
  { signal, silenceMs, opened }: Connection,
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  const own = new AbortController();
  const end = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const url = door.address(path);
    const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
    const answer = await door.fetch(url, { headers, signal: own.signal });
    if (!answer.ok || !answer.body) throw await errorOfAnswer({ method: 'GET', url }, answer);
    opened();
    const frames = new Frames<Data>();
    const reader = answer.body.getReader();
    for (;;) {
      const silence = setTimeout(() => own.abort(new Error(`nothing came for ${silenceMs} ms`)), silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      yield* frames.take(value as Uint8Array);
    }
  } finally {
    signal?.removeEventListener('abort', end);
    own.abort();
  }
}

/**
 * Bytes in, events out. A frame is `id:` and `data:` lines up to an empty one; lines that begin
 * with `:` keep the connection alive.
 */
class Frames<Data> {
  private readonly decoder = new TextDecoder();
  private rest = '';
  private id: string | undefined;
  private data: string[] = [];

  *take(bytes: Uint8Array): Generator<StreamEvent<Data>, void, undefined> {
    const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('id:')) this.id = line.slice(3).trim();
      else if (line.startsWith('data:')) this.data.push(line.slice(5));
      else if (line === '' && this.data.length > 0) {
        yield { id: this.id, data: JSON.parse(this.data.join('\n')) as Data };
        this.id = undefined;
        this.data = [];
      }
    }
  }
}
