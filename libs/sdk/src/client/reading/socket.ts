import type { Transport } from '../transport.js';
import { Inbox } from './inbox.js';
import { Reconnects, isFinal } from './reconnects.js';
import type { ReadingOptions } from './reconnects.js';
import { connectSocket } from './socket-connection.js';
import type { ServerMessage, SocketConnection } from './socket-connection.js';
import { delay } from '../http/waiting.js';

/** An envelope received over the socket (docs/socket.md). */
export interface Envelope<Payload = unknown> {
  readonly type: 'event' | 'interaction' | 'command' | 'options';
  readonly envelope_id: string;
  /** 1 for the first delivery, more for repeats. */
  readonly attempt: number;
  readonly payload: Payload;
  /**
   * Acknowledges the envelope. For a click, form, command or request for options, includes the
   * answer to the person, who waits up to three seconds. Sent over the current connection or the
   * next one. Only the first call counts.
   */
  ack(answer?: unknown): void;
  /**
   * Answers the person now, or shows that the answer comes later, without acknowledging the
   * envelope: until `ack` it is delivered again if the program dies. Resolves when the server has
   * confirmed it, or after two seconds.
   */
  later(answer?: unknown): Promise<void>;
}

export interface SocketOptions extends ReadingOptions {
  /**
   * A connection without data for this time is considered dead. It is pinged in between. Default:
   * 45,000.
   */
  readonly silenceMs?: number;
  /** Called when a connection is established. */
  readonly onOpen?: () => void;
  /** Called when an answer was rejected. */
  readonly onRefusedAnswer?: (refusal: { envelope_id: string; code: string; error: string }) => void;
}

type Sent = Omit<Envelope, 'ack' | 'later'>;

const ENVELOPES: ReadonlySet<string> = new Set(['event', 'interaction', 'command', 'options']);
/** Number of acknowledged envelopes to remember, in case they are delivered again. */
const MAX_REMEMBERED = 2000;
/** How long to wait for the server's confirmation. Servers of versions before `later` send none. */
const CONFIRM_WITHIN_MS = 2000;

/** The replies sent for an envelope, as texts. */
interface SentReplies {
  later?: string;
  ack?: string;
  /** Resolves the wait for the confirmation. */
  told?: () => void;
}

/**
 * Receives the bot's events, clicks and commands over a socket without end. Reconnects after a lost
 * connection. An envelope that is delivered again because its acknowledgement was lost is
 * acknowledged again and not returned twice.
 * @throws TielineError when retrying does not help: a revoked token (401), an inactive space (403),
 * another delivery mode (409)
 */
export async function* readSocket<Payload>(
  transport: Transport,
  options: SocketOptions = {},
): AsyncGenerator<Envelope<Payload>, void, undefined> {
  const stop = new AbortController();
  const end = () => stop.abort();
  if (options.signal?.aborted) return;
  options.signal?.addEventListener('abort', end, { once: true });
  const inbox = new Inbox<Envelope>();
  const running = new SocketReader(transport, options, inbox).run(stop.signal);
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
  /** The envelopes returned so far. */
  private readonly known = new Map<string, SentReplies>();
  private connection: SocketConnection | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly options: SocketOptions,
    private readonly inbox: Inbox<Envelope>,
  ) {}

  /** Keeps a connection open until the signal aborts. Never rejects: failures go to the inbox. */
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
      await delay(reconnects.next(failure), signal).catch(() => undefined);
    }
    this.inbox.end();
  }

  private async connectOnce(signal: AbortSignal, reconnects: Reconnects): Promise<void> {
    const connection = connectSocket(this.transport, {
      signal,
      silenceMs: this.options.silenceMs ?? 45_000,
      onMessage: (message) => {
        if (message.type === 'hello') {
          reconnects.succeeded();
          this.connection = connection;
          this.options.onOpen?.();
        } else this.handle(message);
      },
    });
    try {
      await connection.closed;
    } finally {
      this.connection = undefined;
    }
  }

  private handle(message: ServerMessage): void {
    const { envelope_id: id } = message as Sent;
    const replies = this.known.get(id);
    if (message.type === 'error' || message.type === 'told') replies?.told?.();
    if (message.type === 'error') return this.options.onRefusedAnswer?.(message);
    if (!ENVELOPES.has(message.type)) return; // also what later servers may say
    if (replies) {
      const text = replies.ack ?? replies.later;
      if (text !== undefined) this.connection?.send(text);
      return;
    }
    this.known.set(id, {});
    const ack = (answer?: unknown): void => this.acknowledge(id, answer);
    this.inbox.put({ ...(message as Sent), ack, later: (answer) => this.answerLater(id, answer) });
  }

  /** Without a connection, the reply is sent when the envelope is delivered again. */
  private async answerLater(id: string, answer: unknown): Promise<void> {
    const replies = this.known.get(id);
    if (!replies || replies.later !== undefined || replies.ack !== undefined) return;
    replies.later = JSON.stringify({ envelope_id: id, answer, later: true });
    const told = new Promise<void>((done) => (replies.told = done));
    this.connection?.send(replies.later);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enough = new Promise<void>((done) => (timer = setTimeout(done, CONFIRM_WITHIN_MS)));
    await Promise.race([told, enough]);
    clearTimeout(timer);
  }

  /**
   * Without a connection nothing is lost: the envelope is delivered again on the next one and is
   * answered from memory.
   */
  private acknowledge(id: string, answer: unknown): void {
    const replies = this.known.get(id);
    if (!replies || replies.ack !== undefined) return;
    const text = JSON.stringify({ envelope_id: id, answer });
    this.known.delete(id);
    this.known.set(id, { ack: text });
    for (const [oldest, { ack }] of this.known) {
      if (this.known.size <= MAX_REMEMBERED) break;
      if (ack !== undefined) this.known.delete(oldest);
    }
    this.connection?.send(text);
  }
}
