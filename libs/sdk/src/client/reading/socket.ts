import type { Door } from '../door.js';
import { Inbox } from './inbox.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { connectSocket } from './socket-connection.js';
import type { ServerMessage, SocketConnection } from './socket-connection.js';
import { rest } from '../http/waiting.js';

/** What came over the socket (docs/socket.md). */
export interface Envelope<Payload = unknown> {
  readonly type: 'event' | 'interaction' | 'command' | 'options';
  readonly envelope_id: string;
  /** 1, and more when it went over a socket before. */
  readonly attempt: number;
  readonly payload: Payload;
  /**
   * Says that it is dealt with, for a click, a form, a command or a question with the answer to the
   * person who waits, up to three seconds. It goes over whatever connection stands, or the next
   * one. Only the first counts.
   */
  ack(answer?: unknown): void;
  /**
   * Tells the person who waits now, with the answer or that there is none yet, and keeps the
   * envelope: until `ack` it comes again should the program die. Resolves when the person was told,
   * or after two seconds without word of it.
   */
  later(answer?: unknown): Promise<void>;
}

export interface SocketOptions extends ReadingOptions {
  /**
   * A connection on which nothing comes for so long is dead; it is asked in between. Default:
   * 45,000.
   */
  readonly silenceMs?: number;
  /** Called whenever a connection stands. */
  readonly onOpen?: () => void;
  /** Hears that an answer was no good one. */
  readonly onRefusedAnswer?: (refusal: { envelope_id: string; code: string; error: string }) => void;
}

type Sent = Omit<Envelope, 'ack' | 'later'>;

const ENVELOPES: ReadonlySet<string> = new Set(['event', 'interaction', 'command', 'options']);
/** Acknowledged envelopes that are remembered, in case they come again. */
const MEMORY = 2000;
/** How long the server may take to tell the person; one from before `later` says nothing. */
const TOLD_WITHIN_MS = 2000;

/** What was said of an envelope that was handed out: each is a text as it goes over the socket. */
interface Said {
  later?: string;
  ack?: string;
  /** Whoever waits for `told`. */
  told?: () => void;
}

/**
 * The bot's events, clicks and commands over a socket, without an end. A lost connection is opened
 * again; what comes again because its acknowledgement was lost is acknowledged again and not handed
 * out twice.
 * @throws TielineError when trying again can't help: a revoked token (401), an inactive space
 * (403), another delivery mode (409)
 */
export async function* readSocket<Payload>(
  door: Door,
  options: SocketOptions = {},
): AsyncGenerator<Envelope<Payload>, void, undefined> {
  const stop = new AbortController();
  const end = () => stop.abort();
  if (options.signal?.aborted) return;
  options.signal?.addEventListener('abort', end, { once: true });
  const inbox = new Inbox<Envelope>();
  const running = new SocketReader(door, options, inbox).run(stop.signal);
  try {
    for (;;) {
      const envelope = await inbox.next();
      if (envelope === undefined) return;
      yield envelope as Envelope<Payload>;
    }
  } finally {
    options.signal?.removeEventListener('abort', end);
    end();
    await running;
  }
}

class SocketReader {
  /** What was handed out. */
  private readonly known = new Map<string, Said>();
  private connection: SocketConnection | undefined;

  constructor(
    private readonly door: Door,
    private readonly options: SocketOptions,
    private readonly inbox: Inbox<Envelope>,
  ) {}

  /** Keeps a connection until the signal aborts. Never rejects: the inbox tells what went wrong. */
  async run(signal: AbortSignal): Promise<void> {
    const reconnects = new Reconnects();
    while (!signal.aborted) {
      let failure: unknown;
      try {
        await this.connectOnce(signal, reconnects);
      } catch (error) {
        if (signal.aborted) break;
        if (isFinal(error)) return this.inbox.fail(error);
        this.options.onTrouble?.((failure = error));
      }
      await rest(reconnects.next(failure), signal).catch(() => undefined);
    }
    this.inbox.end();
  }

  private async connectOnce(signal: AbortSignal, reconnects: Reconnects): Promise<void> {
    const connection = connectSocket(this.door, {
      signal,
      silenceMs: this.options.silenceMs ?? 45_000,
      onMessage: (message) => {
        if (message.type === 'hello') {
          reconnects.succeeded();
          this.connection = connection;
          this.options.onOpen?.();
        } else this.take(message);
      },
    });
    try {
      await connection.closed;
    } finally {
      this.connection = undefined;
    }
  }

  private take(message: ServerMessage): void {
    const { envelope_id: id } = message as Sent;
    const said = this.known.get(id);
    if (message.type === 'error' || message.type === 'told') said?.told?.();
    if (message.type === 'error') return this.options.onRefusedAnswer?.(message);
    if (!ENVELOPES.has(message.type)) return; // also what later servers may say
    if (said) {
      const text = said.ack ?? said.later;
      if (text !== undefined) this.connection?.send(text);
      return;
    }
    this.known.set(id, {});
    const ack = (answer?: unknown): void => this.acknowledge(id, answer);
    this.inbox.put({ ...(message as Sent), ack, later: (answer) => this.tell(id, answer) });
  }

  /** Without a connection it is said when the envelope comes again. */
  private async tell(id: string, answer: unknown): Promise<void> {
    const said = this.known.get(id);
    if (!said || said.later !== undefined || said.ack !== undefined) return;
    said.later = JSON.stringify({ envelope_id: id, answer, later: true });
    const told = new Promise<void>((done) => (said.told = done));
    this.connection?.send(said.later);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((done) => (timer = setTimeout(done, TOLD_WITHIN_MS)));
    await Promise.race([told, enough]);
    clearTimeout(timer);
  }

  /**
   * Without a connection nothing is lost: the envelope comes again on the next one, and is found in
   * memory.
   */
  private acknowledge(id: string, answer: unknown): void {
    const said = this.known.get(id);
    if (!said || said.ack !== undefined) return;
    const text = JSON.stringify({ envelope_id: id, answer });
    this.known.delete(id);
    this.known.set(id, { ack: text });
    for (const [oldest, { ack }] of this.known) {
      if (this.known.size <= MEMORY) break;
      if (ack !== undefined) this.known.delete(oldest);
    }
    this.connection?.send(text);
  }
}
