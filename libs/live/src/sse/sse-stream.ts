import type { FastifyReply } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { PING_FRAME } from './sse-frame.js';

/**
 * Why a stream ended: the client went away; it read too slowly; its token was revoked or the caller
 * or space disabled; the caller could not be verified for too long; the caller opened a newer one
 * and has enough; this process shuts down; or whoever feeds the stream gave up.
 */
export type SseCloseReason =
  'client' | 'slow' | 'revoked' | 'unverified' | 'superseded' | 'shutdown' | 'failed';

/** Pings in a row that may find unread bytes before the reader counts as stuck. */
const STALLED_PINGS = 3;
/** How long a reader may take to read what is left after the end, in milliseconds. */
const LINGER_MS = 1000;

/**
 * One open event stream. What its reader has not taken yet is bounded: a reader that falls behind
 * by more than `maxBufferedBytes`, or never catches up within three pings, is disconnected, so it
 * costs no memory.
 */
export class SseStream {
  /** Of this stream alone; UUIDv7. */
  readonly id = uuidv7();
  private listeners: ((reason: SseCloseReason) => void)[] = [];
  private ended: SseCloseReason | undefined = undefined;
  private stalledPings = 0;

  /** @internal made by `SseStreams.open` */
  constructor(
    private readonly response: FastifyReply['raw'],
    private readonly maxBufferedBytes: number,
  ) {
    response.once('close', () => this.finish('client'));
    // A reset connection is also a 'close'; without a listener it would be an uncaught error.
    response.on('error', () => undefined);
    // A client that left while it was being authenticated: its 'close' is past.
    if (response.closed || response.destroyed) this.finish('client');
  }

  /** Why it ended, or undefined while it is open. */
  get closed(): SseCloseReason | undefined {
    return this.ended;
  }

  /** Bytes that were written and not yet taken over by the network. */
  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  /**
   * Writes the bytes of one event (`sseFrame`). Never waits and never throws.
   * @param handedOver called later, once the network has taken all of it over; never, when the
   * connection ends before that
   * @returns false when the stream has ended, also when it ended by this very write because the
   * reader is too slow
   */
  send(frame: Buffer, handedOver?: () => void): boolean {
    if (this.ended !== undefined) return false;
    if (this.response.writableLength + frame.length > this.maxBufferedBytes) {
      this.close('slow');
      return false;
    }
    const { socket } = this.response;
    // Node reports no error for a write that was cut short because the socket was destroyed.
    if (handedOver)
      this.response.write(frame, (error) => (error || socket?.destroyed ? undefined : handedOver()));
    else this.response.write(frame);
    return true;
  }

  /**
   * Sends a keep-alive line. A reader that never was up to date at several pings in a row is stuck.
   */
  ping(): void {
    if (this.ended !== undefined) return;
    this.stalledPings = this.response.writableLength > 0 ? this.stalledPings + 1 : 0;
    if (this.stalledPings >= STALLED_PINGS) this.close('slow');
    else this.response.write(PING_FRAME);
  }

  /**
   * Ends the stream: a slow reader's connection is cut at once, others may read what was already
   * written.
   */
  close(reason: Exclude<SseCloseReason, 'client'>): void {
    if (this.ended !== undefined) return;
    const { response } = this;
    if (reason === 'slow') {
      response.destroy();
    } else {
      response.end();
      setTimeout(() => response.destroy(), LINGER_MS).unref();
    }
    this.finish(reason);
  }

  /** Calls `listener` once when the stream has ended; at once when it has ended already. */
  onClose(listener: (reason: SseCloseReason) => void): void {
    if (this.ended !== undefined) listener(this.ended);
    else this.listeners.push(listener);
  }

  private finish(reason: SseCloseReason): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    const { listeners } = this;
    this.listeners = [];
    for (const listener of listeners) listener(reason);
  }
}
