import type { IncomingMessage, ServerResponse } from 'node:http';

/** How long the rest of a refused upload is read and thrown away, so that its sender gets to read the answer. */
const LINGER_MS = 5_000;
/** Longest wait that a timer can have. */
const MAX_TIMER_MS = 2_147_483_647;

/** The body of one upload on its way in. */
export class IncomingUpload {
  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  /** Announced size in bytes; undefined for a chunked body. */
  get announcedSize(): number | undefined {
    const { 'content-length': length } = this.request.headers;
    return length === undefined ? undefined : Number(length);
  }

  /** Whether the sender went away before the end. */
  get brokeOff(): boolean {
    return this.request.destroyed && !this.request.complete;
  }

  /**
   * Asks for the bytes (a client that sent `Expect: 100-continue` has waited with them until now) and yields them. The connection is cut
   * when none comes for `idleMs`, or when `deadlineMs` (of `Date.now()`) passes.
   */
  async *bytes({ idleMs, deadlineMs }: { idleMs: number; deadlineMs: number }): AsyncGenerator<Buffer> {
    if (this.request.headers.expect !== undefined) this.response.writeContinue();
    this.request.socket.setTimeout(idleMs);
    const timer = setTimeout(() => this.request.socket.destroy(), Math.min(Math.max(0, deadlineMs - Date.now()), MAX_TIMER_MS));
    try {
      // Not destroyed when the reader gives up: the answer still has to go out on this connection.
      for await (const chunk of this.request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Lets go of what was not read: were the connection closed with bytes unread, the sender would see it reset instead
   * of the answer. After some seconds it is.
   */
  release(): void {
    if (this.request.complete || this.request.destroyed) return;
    this.request.resume();
    setTimeout(() => {
      if (!this.request.complete) this.request.socket.destroy();
    }, LINGER_MS).unref();
  }
}
