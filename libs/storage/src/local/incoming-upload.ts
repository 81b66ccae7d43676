import type { IncomingMessage, ServerResponse } from 'node:http';

/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2_147_483_647;

/** The incoming body of an upload. */
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

  /** Whether the client disconnected before the end. */
  get wasInterrupted(): boolean {
    return this.request.destroyed && !this.request.complete;
  }

  /**
   * Requests the bytes (a client that sent `Expect: 100-continue` has waited with them until now)
   * and yields them. Closes the connection if no bytes arrive for `idleMs`, or when `deadlineMs`
   * (of `Date.now()`) passes.
   */
  async *bytes({ idleMs, deadlineMs }: { idleMs: number; deadlineMs: number }): AsyncGenerator<Buffer> {
    if (this.request.headers.expect !== undefined) this.response.writeContinue();
    this.request.socket.setTimeout(idleMs);
    const timer = setTimeout(
      () => this.request.socket.destroy(),
      Math.min(Math.max(0, deadlineMs - Date.now()), MAX_TIMER_MS),
    );
    try {
      // Does not destroy the request when the reader stops, because the rest must be read; see
      // below.
      for await (const chunk of this.request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Discards the unread rest. Reads it for `drainMs`, because many clients read no response before
   * they have sent everything, then closes the connection.
   */
  drain(drainMs: number): void {
    if (this.request.complete || this.request.destroyed) return;
    // With `Connection: close`, Node would close the connection right after the response, which
    // would then be lost.
    this.response.shouldKeepAlive = true;
    this.request.resume();
    setTimeout(() => {
      if (!this.request.complete) this.request.socket.destroy();
    }, drainMs).unref();
  }
}
