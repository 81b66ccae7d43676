import type { FastifyInstance } from 'fastify';

/** The paths of the pages. */
export const DOCS_PAGES = { api: 'api/docs', webhooks: 'api/docs/webhooks' };

const PAGES: ReadonlySet<string> = new Set(
  Object.values(DOCS_PAGES).flatMap((page) => ['', '/', '/index.html'].map((end) => `/${page}${end}`)),
);
/**
 * A page runs only scripts of this server and sends requests only to this server; no text becomes a
 * script. Swagger UI creates style elements while it runs, and its Markdown becomes HTML, so inline
 * styles are allowed and Trusted Types are not required.
 */
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

/** Sets a separate policy for the pages of Swagger UI. Call it before they are registered. */
export function protectDocsPages(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!PAGES.has(route.url)) return;
    route.onRequest = (_request, reply, done) => {
      void reply.headers(HEADERS);
      done();
    };
  });
}
