import type { FastifyInstance } from 'fastify';

/**
 * Headers of every answer of every port, unless a page sets others: browsers do not guess the type
 * of an answer, load nothing for it, show it in no frame, and send its address to no other site.
 */
export const DEFAULT_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/**
 * Headers of every JSON answer, unless a route sets others: it may contain a secret that is shown
 * once.
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
