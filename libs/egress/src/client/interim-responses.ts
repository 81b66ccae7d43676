import type { Socket } from 'node:net';

/** The beginning of an interim response. Its longest undecided prefix has 12 bytes. */
const INTERIM = /^HTTP\/\d\.\d 1\d\d/;
const UNDECIDED = /^(?:H(?:T(?:T(?:P(?:\/(?:\d(?:\.(?:\d(?: (?:1\d?)?)?)?)?)?)?)?)?)?)?$/;
const STATUS_BYTES = 12;
const HEAD_END = '\r\n\r\n';
/** A longer head is passed on, and rejected by the parser. */
const MAX_HEAD_BYTES = 16_384;

/**
 * Removes interim (1xx) responses from what a socket receives, before the HTTP parser reads it. The
 * parser of undici closes the connection on a `100 Continue` that it did not ask for, although a
 * client must skip those (RFC 9110, 15.2).
 */
export class InterimResponses {
  private awaited = false;
  private held: Buffer = Buffer.alloc(0);

  private constructor() {}

  /** Filters what `socket.read()` returns from now on. */
  static skippedOn(socket: Socket): InterimResponses {
    const filter = new InterimResponses();
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.read = (size?: number): Buffer | null => {
      for (;;) {
        const chunk = read(size);
        if (chunk === null || !filter.awaited) return chunk;
        const rest = filter.withoutInterim(chunk);
        if (rest.length > 0) return rest;
      }
    };
    return filter;
  }

  /** Call it when a request begins: the next bytes are the head of a response. */
  awaitResponse(): void {
    this.awaited = true;
    this.held = Buffer.alloc(0);
  }

  /** Returns the bytes after the interim responses, or nothing while that is undecided. */
  private withoutInterim(chunk: Buffer): Buffer {
    let bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : chunk;
    for (;;) {
      const start = bytes.toString('latin1', 0, STATUS_BYTES);
      if (!INTERIM.test(start)) {
        if (UNDECIDED.test(start)) return this.hold(bytes);
        return this.finalFrom(bytes);
      }
      const end = bytes.indexOf(HEAD_END);
      if (end < 0) return bytes.length > MAX_HEAD_BYTES ? this.finalFrom(bytes) : this.hold(bytes);
      bytes = bytes.subarray(end + HEAD_END.length);
    }
  }

  private hold(bytes: Buffer): Buffer {
    this.held = bytes;
    return Buffer.alloc(0);
  }

  private finalFrom(bytes: Buffer): Buffer {
    this.awaited = false;
    this.held = Buffer.alloc(0);
    return bytes;
  }
}
