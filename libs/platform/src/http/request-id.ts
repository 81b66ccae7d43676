import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Decisions, section 1: the caller's `X-Request-Id` if it is well formed, else a fresh one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7({ random: randomBytes16() });
}

// Every request needs an id: random bytes are fetched for many at once.
const pool = Buffer.alloc(16 * 256);
let used = pool.length;

function randomBytes16(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += 16;
  return pool.subarray(used - 16, used);
}
