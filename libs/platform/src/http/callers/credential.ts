import type { FastifyRequest } from 'fastify';
import { invalidAuthorization, missingAuthorization, notFound } from '../api-error.js';
import type { ApiError } from '../api-error.js';
import { sessionIn } from './session-cookies.js';
import type { SessionKind } from './session-cookies.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kind of session that this route accepts besides a bearer token. */
    session?: SessionKind;
  }
}

/** The credential of a request. */
export interface Credential {
  readonly token: string;
  /** Absent: a bearer token. */
  readonly session?: SessionKind;
  /** Name of the cookie that contained the session. */
  readonly cookie?: string;
}

/** 404 for a request about the current session of a caller without one. */
export const noSession = (): ApiError =>
  notFound('no_session', 'no session: the caller came with a bearer token');

/**
 * Returns the bearer token of a request, or the session in its cookie if the route accepts one.
 * @throws 401 with the texts of docs/errors.md#codes
 */
export function credentialOf({ headers, routeOptions }: FastifyRequest): Credential {
  const { session } = routeOptions.config;
  const inCookie =
    session && headers.authorization === undefined ? sessionIn(headers.cookie, session) : undefined;
  return session && inCookie !== undefined
    ? { ...inCookie, session }
    : { token: bearerToken(headers.authorization) };
}

/**
 * Returns the token of an `Authorization: Bearer …` header; the scheme is case-insensitive. @throws
 * 401
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw missingAuthorization();
  const match = /^bearer +([^\s]+) *$/i.exec(header);
  if (!match?.[1]) throw invalidAuthorization();
  return match[1];
}
