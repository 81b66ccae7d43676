import { uuidv7 } from 'uuidv7';
import type { RawData, WebSocket } from 'ws';
import type { DisconnectReason } from './envelope.view.js';
import type { SocketOwner } from './socket-owner.js';
import type { SocketDialect } from './socket-dialect.js';

/** Maximum number of unacknowledged envelopes of one socket. */
const MAX_IN_FLIGHT = 1000;
/** No envelopes are sent while more bytes than this are unread. */
const MAX_BUFFERED_BYTES = 262_144;
/** Maximum number of envelopes sent at a time, which also limits the unread bytes. */
const MAX_AT_ONCE = 50;
/** How long the client may take to confirm the close, in milliseconds. */
const LINGER_MS = 1000;
const CLOSE_CODES: Readonly<Record<DisconnectReason, number>> = {
  shutdown: 1001,
  mode: 4409,
  token: 4401,
  slow: 1008,
};

/** Listener of a socket. */
export interface SocketEvents {
  message(socket: BotSocket, data: RawData, isBinary: boolean): void;
  closed(socket: BotSocket): void;
}

export interface SocketTimes {
  pingMs: number;
  /** How long a client may leave too many bytes unread. */
  patienceMs: number;
}

/** One open socket of a bot (docs/socket.md#limits-and-keep-alive). */
export class BotSocket {
  /**
   * Sent and unacknowledged envelopes, with the time when they are due again by
   * `performance.now()`, never earlier than in the database.
   */
  readonly sent = new Map<string, number>();
  /** Unacknowledged envelopes with an extended lease. */
  private readonly extended = new Map<string, number>();
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
  readonly dialect: SocketDialect;
  private readonly pings: NodeJS.Timeout;
  private ending = false;
  /** Number of consecutive unanswered pings. */
  private silence = 0;
  private fullSince: number | undefined;

  constructor(
    private readonly ws: WebSocket,
    readonly owner: SocketOwner,
    readonly id: string,
    private readonly times: SocketTimes,
    events: SocketEvents,
  ) {
    this.dialect = owner.dialect;
    ws.on('message', (data, isBinary) => events.message(this, data, isBinary));
    ws.on('pong', () => (this.silence = 0));
    // The 'close' event follows.
    ws.on('error', () => undefined);
    this.gone = new Promise((resolve) => {
      ws.once('close', () => {
        clearInterval(this.pings);
        this.ending = true;
        events.closed(this);
        resolve();
      });
    });
    this.pings = setInterval(() => this.ping(), times.pingMs).unref();
    ws.send(this.dialect.hello(this.id));
  }

  static newId(): string {
    return uuidv7();
  }

  /** Number of further envelopes that can be sent now. */
  get room(): number {
    return this.takesNothing ? 0 : Math.min(this.free, MAX_AT_ONCE);
  }

  /**
   * Number of further envelopes that it may have in flight. Envelopes that are due again still
   * count, because the bot has not acknowledged them.
   */
  get free(): number {
    return this.ending ? 0 : MAX_IN_FLIGHT - this.sent.size - this.extended.size;
  }

  /** The envelopes that are due again, as many as can be sent now. */
  get due(): string[] {
    if (this.takesNothing) return [];
    const now = performance.now();
    const due: string[] = [];
    for (const one of [this.sent, this.extended])
      for (const [id, dueAt] of one) {
        if (dueAt > now || due.length === MAX_AT_ONCE) break;
        due.push(id);
      }
    return due;
  }

  private get takesNothing(): boolean {
    return this.ending || this.ws.bufferedAmount > MAX_BUFFERED_BYTES;
  }

  /** Envelopes that must be sent again if this socket closes. */
  get unacknowledged(): string[] {
    return [...this.sent.keys(), ...this.extended.keys()];
  }

  get isOpen(): boolean {
    return !this.ending;
  }

  sendEnvelope(id: string, text: string, dueAt: number): void {
    // Moves it behind the envelopes that are due earlier.
    this.forget(id);
    this.sent.set(id, dueAt);
    this.send(text);
  }

  /** Extends the lease of an envelope that was sent over this socket. */
  extendLease(id: string, dueAt: number): void {
    if (this.sent.delete(id)) this.extended.set(id, dueAt);
  }

  forget(id: string): void {
    this.sent.delete(id);
    this.extended.delete(id);
  }

  send(text: string): void {
    if (!this.ending) this.ws.send(text);
  }

  /** Pauses or resumes reading, to limit the unprocessed messages. */
  pauseReading(isPaused: boolean): void {
    if (isPaused && !this.ws.isPaused) this.ws.pause();
    if (!isPaused && this.ws.isPaused) this.ws.resume();
  }

  /** Closes a socket that leaves too many bytes unread for too long. */
  closeIfSlow(): void {
    if (this.ws.bufferedAmount <= MAX_BUFFERED_BYTES) this.fullSince = undefined;
    else this.fullSince ??= performance.now();
    if (performance.now() - (this.fullSince ?? Infinity) >= this.times.patienceMs) this.end('slow');
  }

  /** Sends the reason to the bot and closes the connection. */
  end(reason: DisconnectReason): void {
    this.send(this.dialect.disconnect(reason));
    this.close(CLOSE_CODES[reason], reason);
  }

  close(code: number, reason: string): void {
    if (this.ending) return;
    this.ending = true;
    this.pauseReading(false);
    this.ws.close(code, reason);
    setTimeout(() => this.ws.terminate(), LINGER_MS).unref();
  }

  /** Removes envelopes that were due. They are sent over another socket. */
  forgetDue(): void {
    const now = performance.now();
    for (const one of [this.sent, this.extended])
      for (const [id, dueAt] of one) {
        if (dueAt > now) break;
        one.delete(id);
      }
  }

  /**
   * Counts pings instead of time: a process that is suspended, or does not read, receives no answer
   * from any client.
   */
  private ping(): void {
    if (!this.ws.isPaused) this.silence += 1;
    if (this.silence >= 2) this.ws.terminate();
    else this.ws.ping();
  }
}
