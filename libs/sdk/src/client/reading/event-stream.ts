import type { Transport } from '../transport.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { errorOfAnswer } from '../http/answers.js';
import { delay } from '../http/waiting.js';

/** An event of a stream (docs/streams.md). */
export interface StreamEvent<Data = unknown> {
  /** Id to resume the stream from, if the stream has ids. */
  readonly id: string | undefined;
  readonly data: Data;
}

export interface StreamOptions extends ReadingOptions {
  /** The last `id` received earlier. */
  readonly lastEventId?: string;
  /**
   * A connection without data for this time is considered dead. Default: 75,000, two and a half of
   * the server's pings.
   */
  readonly silenceMs?: number;
  /** Called when a connection is established. */
  readonly onOpen?: () => void;
}

/**
 * Reads server-sent events without end. Reconnects with `Last-Event-ID` when a connection ends,
 * fails or is silent. Reads nothing while the body of the loop runs. The server closes the
 * connections of slow readers, and stored events are then sent again.
 * @throws TielineError when retrying does not help, such as for a revoked token
 */
export async function* readStream<Data>(
  transport: Transport,
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
      for await (const event of connection<Data>(transport, path, last, { signal, silenceMs, opened })) {
        last = event.id ?? last;
        yield event;
        if (signal?.aborted) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (isFinal(error)) throw error;
      onTrouble?.((failure = error));
    }
    await delay(reconnects.next(failure), signal).catch(() => undefined);
  }
}

interface Connection {
  readonly signal: AbortSignal | undefined;
  readonly silenceMs: number;
  readonly opened: () => void;
}

async function* connection<Data>(
  transport: Transport,
  path: string,
  last: string | undefined,
  { signal, silenceMs, opened }: Connection,
): AsyncGenerator<StreamEvent<Data>, void, undefined> {
  const own = new AbortController();
  const end = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  try {
    const url = transport.address(path);
    const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
    const answer = await transport.fetch(url, { headers, signal: own.signal });
    if (!answer.ok || !answer.body) throw await errorOfAnswer({ method: 'GET', url }, answer);
    opened();
    const frames = new Frames<Data>();
    const reader = answer.body.getReader();
    for (;;) {
      const silence = setTimeout(() => own.abort(new Error(`no data for ${silenceMs} ms`)), silenceMs);
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
 * Parses bytes into events. A frame consists of `id:` and `data:` lines up to an empty line. Lines
 * that start with `:` keep the connection alive.
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
