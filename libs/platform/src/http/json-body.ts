import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError, badRequest, invalidJson } from './api-error.js';
import { routeConfig } from './routes/route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    unparsedBody?: boolean;
  }
}

/** Limit of JSON bodies: 1 MiB (docs/api-conventions.md#requests). */
export const JSON_BODY_LIMIT = 1_048_576;
/** Deeper than any valid body: code that walks through a body must not overflow the stack. */
const MAX_DEPTH = 200;

/** Has the exact bytes of the body, for routes that need them (signatures, idempotency). */
export interface RawBodyRequest extends FastifyRequest {
  rawBody?: Buffer;
}

/** A route that reads its body, such as a form, from `rawBody`: nothing is parsed before. */
export const UnparsedBody = (): MethodDecorator => routeConfig({ unparsedBody: true });

/** An invalid body. It is reported after authentication, so that 401 and 403 come first. */
class RefusedBody {
  constructor(readonly reason: unknown) {}
}

/** @throws 400 if the body of this request was rejected while it was read */
export function requireReadBody(body: unknown): void {
  if (body instanceof RefusedBody) throw body.reason;
}

/**
 * Parses every body as JSON, regardless of its content type, and leaves `undefined` when there is
 * none, and for routes with {@link UnparsedBody}. The value must be an object. NUL characters are
 * rejected; a lone surrogate becomes U+FFFD. Errors are reported once the caller is known, by
 * {@link requireReadBody}.
 */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser(
    '*',
    { parseAs: 'buffer', bodyLimit: JSON_BODY_LIMIT },
    (request, body, done) => {
      (request as RawBodyRequest).rawBody = body as Buffer;
      if (request.routeOptions.config.unparsedBody) return done(null);
      done(null, isEncoded(request) ? new RefusedBody(encodedBody()) : readBody(body as Buffer));
    },
  );
  // Fastify rejects malformed media types before it calls a parser.
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['content-type'] !== undefined && request.mediaType === undefined)
      request.headers = { 'content-type': undefined };
    done();
  });
}

/** 415 for a compressed body. */
export const encodedBody = (): ApiError =>
  new ApiError(
    415,
    'content_encoding_unsupported',
    'content-encoding is not supported: send the body uncompressed',
  );

const isEncoded = ({ raw, routeOptions }: FastifyRequest): boolean =>
  !routeOptions.config.streamedBody &&
  !['', 'identity'].includes((raw.headers['content-encoding'] ?? '').trim().toLowerCase());

function readBody(body: Buffer): unknown {
  try {
    return body.length === 0 ? undefined : parseJsonObject(body.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    return new RefusedBody(error);
  }
}

/**
 * Parses the text of a JSON object. @throws 400 `invalid JSON`, also if it is nested over 200 deep,
 * or 400 for a NUL character in a text.
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidJson();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidJson();
  if (text.length > 2 * MAX_DEPTH && isTooDeep(value)) throw invalidJson();
  // NUL and lone surrogates come only from \u escapes: texts without any need no closer look.
  return text.includes('\\u')
    ? (wellFormed(value) as Record<string, unknown>)
    : (value as Record<string, unknown>);
}

function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth >= MAX_DEPTH || Object.values(value).some((part) => isTooDeep(part, depth + 1));
}

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw badRequest('nul_character', 'text must not contain NUL characters');
    return value.toWellFormed();
  }
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [wellFormed(key), wellFormed(part)]));
}
