import { v7 as uuidv7 } from 'uuid';
import type { RawData, WebSocket } from 'ws';
import { disconnectText, helloText } from './envelope.view.js';
import type { DisconnectReason } from './envelope.view.js';
import type { SocketOwner } from './open-socket.js';

/** Decisions, section 11.7: what a socket may leave unacknowledged. */
const MAX_IN_FLIGHT = 1000;
/** Envelopes are not put on top of more unread bytes than these. */
const MAX_BUFFERED_BYTES = 262_144;
/** Envelopes at a time, so that what is put on top is bounded too. */
const MAX_AT_ONCE = 50;
/** How long the other side may take to answer the end, in milliseconds. */
const LINGER_MS = 1000;
const CLOSE_CODES: Readonly<Record<DisconnectReason, number>> = {
  shutdown: 1001,
  mode: 4409,
  token: 4401,
  slow: 1008,
};

/** Who hears of a socket. */
export interface SocketEvents {
  message(socket: BotSocket, data: RawData, isBinary: boolean): void;
  closed(socket: BotSocket): void;
}

export interface SocketTimes {
  pingMs: number;
  /** How long a reader may leave more than its share unread. */
  patienceMs: number;
}

/** One open socket of a bot. */
export class BotSocket {
  /**
   * What went over it and is not acknowledged, with the time when it is due again: by
   * `performance.now()`, never earlier than in the database.
   */
  readonly sent = new Map<string, number>();
  /** The same, of what is left to it for longer. */
  private readonly held = new Map<string, number>();
  /** Resolves when the connection is closed. */
  readonly gone: Promise<void>;
  private readonly pings: NodeJS.Timeout;
  private ending = false;
  /** Pings in a row that were not answered. */
  private silence = 0;
  private fullSince: number | undefined;

  constructor(
    private readonly ws: WebSocket,
    readonly owner: SocketOwner,
    readonly id: string,
    private readonly times: SocketTimes,
    events: SocketEvents,
  ) {
    ws.on('message', (data, isBinary) => events.message(this, data, isBinary));
    ws.on('pong', () => (this.silence = 0));
    // The 'close' that follows says enough.
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
    ws.send(helloText(this.id));
  }

  static newId(): string {
    return uuidv7();
  }

  /** How many more envelopes it can take now. */
  get room(): number {
    return this.takesNothing ? 0 : Math.min(this.free, MAX_AT_ONCE);
  }

  /**
   * How many more it may have in flight. What is due again still counts: the bot has not
   * acknowledged it.
   */
  get free(): number {
    return this.ending ? 0 : MAX_IN_FLIGHT - this.sent.size - this.held.size;
  }

  /** What is due again, as much as it can take now. */
  get due(): string[] {
    if (this.takesNothing) return [];
    const now = performance.now();
    const due: string[] = [];
    for (const one of [this.sent, this.held])
      for (const [id, dueAt] of one) {
        if (dueAt > now || due.length === MAX_AT_ONCE) break;
        due.push(id);
      }
    return due;
  }

  private get takesNothing(): boolean {
    return this.ending || this.ws.bufferedAmount > MAX_BUFFERED_BYTES;
  }

  /** What has to come again when it goes. */
  get unacknowledged(): string[] {
    return [...this.sent.keys(), ...this.held.keys()];
  }

  get isOpen(): boolean {
    return !this.ending;
  }

  sendEnvelope(id: string, text: string, dueAt: number): void {
    // Behind those that are due earlier.
    this.forget(id);
    this.sent.set(id, dueAt);
    this.send(text);
  }

  /** Without effect unless it went over this socket. */
  leave(id: string, dueAt: number): void {
    if (this.sent.delete(id)) this.held.set(id, dueAt);
  }

  forget(id: string): void {
    this.sent.delete(id);
    this.held.delete(id);
  }

  send(text: string): void {
    if (!this.ending) this.ws.send(text);
  }

  /** Reads nothing for as long as too much of what came is undone. */
  hold(isHeld: boolean): void {
    if (isHeld && !this.ws.isPaused) this.ws.pause();
    if (!isHeld && this.ws.isPaused) this.ws.resume();
  }

  /** Ends a reader that leaves too much unread for too long. */
  judgePace(): void {
    if (this.ws.bufferedAmount <= MAX_BUFFERED_BYTES) this.fullSince = undefined;
    else this.fullSince ??= performance.now();
    if (performance.now() - (this.fullSince ?? Infinity) >= this.times.patienceMs) this.end('slow');
  }

  /** Tells the bot why, and ends the connection. */
  end(reason: DisconnectReason): void {
    this.send(disconnectText(reason));
    this.close(CLOSE_CODES[reason], reason);
  }

  close(code: number, reason: string): void {
    if (this.ending) return;
    this.ending = true;
    this.hold(false);
    this.ws.close(code, reason);
    setTimeout(() => this.ws.terminate(), LINGER_MS).unref();
  }

  /** What was due again belongs to whoever gets it next. */
  forgetDue(): void {
    const now = performance.now();
    for (const one of [this.sent, this.held])
      for (const [id, dueAt] of one) {
        if (dueAt > now) break;
        one.delete(id);
      }
  }

  /**
   * Counts pings, not time: a process that stands still, or does not read, hears no answer from
   * anybody.
   */
  private ping(): void {
    if (!this.ws.isPaused) this.silence += 1;
    if (this.silence >= 2) this.ws.terminate();
    else this.ws.ping();
  }
}
