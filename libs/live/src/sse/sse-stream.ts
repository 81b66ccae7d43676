import type { FastifyReply } from 'fastify';
import { uuidv7 } from 'uuidv7';
import { PING_FRAME } from './sse-frame.js';

/**
 * Why a stream ended.
 *
 * - `client`: the client disconnected.
 * - `slow`: the client read too slowly.
 * - `revoked`: its token was revoked, or the caller or space was disabled.
 * - `unverified`: the caller could not be verified for too long.
 * - `superseded`: the caller opened too many newer streams.
 * - `shutdown`: the process is shutting down.
 * - `failed`: its source failed.
 */
export type SseCloseReason =
  'client' | 'slow' | 'revoked' | 'unverified' | 'superseded' | 'shutdown' | 'failed';

/** Consecutive pings that may find unread bytes before the reader counts as stuck. */
const STALLED_PINGS = 3;
/** How long a reader may take to read the remaining data after the end, in milliseconds. */
const LINGER_MS = 1000;

/**
 * An open event stream with a bounded buffer: a reader more than `maxBufferedBytes` behind, or not
 * up to date within three pings, is disconnected.
 */
export class SseStream {
  /** Unique id of this stream, a UUIDv7. */
  readonly id = uuidv7();
  private listeners: ((reason: SseCloseReason) => void)[] = [];
  private ended: SseCloseReason | undefined = undefined;
  private stalledPings = 0;

  /** @internal created by `SseStreams.open` */
  constructor(
    private readonly response: FastifyReply['raw'],
    private readonly maxBufferedBytes: number,
  ) {
    response.once('close', () => this.finish('client'));
    // A reset connection also emits 'close'. Without a listener it would be an uncaught error.
    response.on('error', () => undefined);
    // The client may have left during authentication, before this listener existed.
    if (response.closed || response.destroyed) this.finish('client');
  }

  /** Why it ended, or undefined while it is open. */
  get closed(): SseCloseReason | undefined {
    return this.ended;
  }

  /** Bytes written but not yet taken by the network. */
  get bufferedBytes(): number {
    return this.response.writableLength;
  }

  /**
   * Writes the bytes of one event (`sseFrame`). Never waits and never throws.
   *
   * @param handedOver called once the network has taken all bytes; never if the connection ends
   * before.
   * @returns false if the stream has ended, including by this write because the reader is too slow.
   */
  send(frame: Buffer, handedOver?: () => void): boolean {
    if (this.ended !== undefined) return false;
    if (this.response.writableLength + frame.length > this.maxBufferedBytes) {
      this.close('slow');
      return false;
    }
    const { socket } = this.response;
    // Node reports no error for a write cut short by a destroyed socket.
    if (handedOver)
      this.response.write(frame, (error) => (error || socket?.destroyed ? undefined : handedOver()));
    else this.response.write(frame);
    return true;
  }

  /** Sends a keep-alive line. A reader that is behind at several consecutive pings is stuck. */
  ping(): void {
    if (this.ended !== undefined) return;
    this.stalledPings = this.response.writableLength > 0 ? this.stalledPings + 1 : 0;
    if (this.stalledPings >= STALLED_PINGS) this.close('slow');
    else this.response.write(PING_FRAME);
  }

  /**
   * Ends the stream. Cuts the connection of a slow reader immediately; others may read what was
   * already written.
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

  /** Calls `listener` once when the stream has ended, or immediately if it already has. */
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
