import type { FastifyInstance } from 'fastify';

/**
 * Headers of every answer of every port, unless a page says otherwise: browsers take an answer for
 * what it calls itself, load nothing for it, show it in no frame, and tell no other site its
 * address.
 */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/**
 * Headers of every answer in JSON, unless a route says otherwise: it may hold a secret that is
 * shown once.
 */
export const JSON_HEADERS: Readonly<Record<string, string>> = { 'cache-control': 'no-store' };

/** Adds {@link JSON_HEADERS} to the answers of routes that are registered from now on. */
export function keepJsonFromCaches(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = String(reply.getHeader('content-type') ?? '').startsWith('application/json');
    if (isJson && !reply.hasHeader('cache-control')) void reply.headers(JSON_HEADERS);
    done(null, payload);
  });
}
