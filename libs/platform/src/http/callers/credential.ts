import type { FastifyRequest } from 'fastify';
import { invalidAuthorization, missingAuthorization, notFound } from '../api-error.js';
import type { ApiError } from '../api-error.js';
import { sessionIn } from './session-cookies.js';
import type { SessionKind } from './session-cookies.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whose sessions open this route as a bearer token does. */
    session?: SessionKind;
  }
}

/** What a request shows of who sends it. */
export interface Credential {
  readonly token: string;
  /** Absent: a bearer token. */
  readonly session?: SessionKind;
  /** Name of the cookie that held the session. */
  readonly cookie?: string;
}

/** 404 where something is asked of the session of a caller who has none. */
export const noSession = (): ApiError =>
  notFound('no_session', 'no session: the caller came with a bearer token');

/**
 * The bearer token of a request, or else the session in its cookie where the route takes one
 * (decisions, section 11.1).
 * @throws 401 with the contract's texts
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
 * The token of an `Authorization: Bearer …` header; the scheme is case-insensitive. @throws 401
 * with the contract's texts.
 */
export function bearerToken(header: string | undefined): string {
  if (header === undefined || header.trim() === '') throw missingAuthorization();
  const match = /^bearer +([^\s]+) *$/i.exec(header);
  if (!match?.[1]) throw invalidAuthorization();
  return match[1];
}
