import type { IncomingMessage, ServerResponse } from 'node:http';

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
   * Asks for the bytes (a client that sent `Expect: 100-continue` has waited with them until now)
   * and yields them. The connection is cut when none comes for `idleMs`, or when `deadlineMs` (of
   * `Date.now()`) passes.
   */
  async *bytes({ idleMs, deadlineMs }: { idleMs: number; deadlineMs: number }): AsyncGenerator<Buffer> {
    if (this.request.headers.expect !== undefined) this.response.writeContinue();
    this.request.socket.setTimeout(idleMs);
    const timer = setTimeout(
      () => this.request.socket.destroy(),
      Math.min(Math.max(0, deadlineMs - Date.now()), MAX_TIMER_MS),
    );
    try {
      // Not destroyed when the reader gives up: the rest has to be read, see below.
      for await (const chunk of this.request.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Lets go of what was not read. It is read on and thrown away for `lingerMs`, because many
   * senders read no answer before they have sent everything; then the connection is cut.
   */
  release(lingerMs: number): void {
    if (this.request.complete || this.request.destroyed) return;
    // With `Connection: close` Node would cut the connection right after the answer, which then
    // gets lost with it.
    this.response.shouldKeepAlive = true;
    this.request.resume();
    setTimeout(() => {
      if (!this.request.complete) this.request.socket.destroy();
    }, lingerMs).unref();
  }
}
