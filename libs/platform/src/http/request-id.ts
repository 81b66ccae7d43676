import type { IncomingMessage } from 'node:http';
import { v7 as uuidv7 } from 'uuid';

const ACCEPTED = /^[A-Za-z0-9._-]{1,128}$/;

/** Decisions, section 1: the caller's `X-Request-Id` if it is well formed, else a fresh one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ACCEPTED.test(given) ? given : uuidv7();
}
