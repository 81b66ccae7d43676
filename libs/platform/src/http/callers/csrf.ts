import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../api-error.js';
import type { ApiError } from '../api-error.js';

const CHANGES_NOTHING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * 403 if a cookie is not enough: another site may have made the browser send it
 * (docs/sign-in.md#authenticated-requests).
 */
const csrfFailed = (): ApiError => forbidden('csrf_failed', 'X-CSRF-Token is missing or not of this session');

/**
 * Returns the token that a page must send with the cookie of this session. It stays the same as
 * long as the session exists.
 */
export function csrfToken(session: string): string {
  return createHmac('sha256', session).update('csrf').digest('base64url');
}

/** @throws 403 for a request that may change something and lacks the session's {@link csrfToken} */
export function requireCsrfToken({ method, headers }: FastifyRequest, session: string): void {
  if (CHANGES_NOTHING.includes(method)) return;
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken(session));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw csrfFailed();
}
