import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Random bytes, fetched for many ids at once: every request needs one. */
class RandomPool {
  private readonly bytes = Buffer.alloc(16 * 256);
  private used = this.bytes.length;

  next16(): Uint8Array {
    if (this.used === this.bytes.length) {
      randomFillSync(this.bytes);
      this.used = 0;
    }
    this.used += 16;
    return this.bytes.subarray(this.used - 16, this.used);
  }
}

const pool = new RandomPool();

/** Decisions, section 1: the caller's `X-Request-Id` if it is well formed, else a fresh one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7({ random: pool.next16() });
}
