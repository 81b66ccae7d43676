import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { forbidden } from '../api-error.js';
import type { ApiError } from '../api-error.js';

const CHANGES_NOTHING: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * 403 where a cookie is not enough: another site may have made the browser send it (decisions,
 * section 11.1).
 */
const csrfFailed = (): ApiError => forbidden('csrf_failed', 'X-CSRF-Token is missing or not of this session');

/**
 * What a page must send along with the cookie of this session; the same for as long as the session
 * lives.
 */
export function csrfToken(session: string): string {
  return createHmac('sha256', session).update('csrf').digest('base64url');
}

/**
 * @throws 403 for a request that may change something and does not carry the session's {@link
 * csrfToken}
 */
export function requireCsrfToken({ method, headers }: FastifyRequest, session: string): void {
  if (CHANGES_NOTHING.includes(method)) return;
  const given = Buffer.from(String(headers['x-csrf-token'] ?? ''));
  const expected = Buffer.from(csrfToken(session));
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw csrfFailed();
}
