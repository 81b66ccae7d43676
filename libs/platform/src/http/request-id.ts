import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Fetches random bytes for several ids together: every request needs one. */
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

/**
 * Returns the caller's `X-Request-Id` if it is well formed, else a new one
 * (docs/api-conventions.md#requests).
 */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7({ random: pool.next16() });
}
