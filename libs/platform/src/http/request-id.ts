import type { IncomingMessage } from 'node:http';
import { uuidv7 } from 'uuidv7';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Returns the caller's `X-Request-Id` if it is well formed, else a new one
 * (docs/api-conventions.md#requests).
 */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7();
}
