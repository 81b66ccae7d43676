import type { FastifyInstance } from 'fastify';

/** Where the documents are shown. */
export const DOCS_PAGES = { api: 'api/docs', webhooks: 'api/docs/webhooks' };

const PAGES: ReadonlySet<string> = new Set(
  Object.values(DOCS_PAGES).flatMap((page) => ['', '/', '/index.html'].map((end) => `/${page}${end}`)),
);
/**
 * A page runs the scripts of this server alone and asks this server alone; no text becomes a
 * script. Swagger UI makes style elements while it runs, and its Markdown becomes HTML, so inline
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

/** Gives the pages of Swagger UI a policy of their own. Before they are registered. */
export function protectDocsPages(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    if (!PAGES.has(route.url)) return;
    route.onRequest = (_request, reply, done) => {
      void reply.headers(HEADERS);
      done();
    };
  });
}
