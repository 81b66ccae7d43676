import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { sessionKindsIn } from '@tieline/platform/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_BUILT } from './not-built.js';
import { FILE_HEADERS, pageHeaders, SERVICE_WORKER_HEADERS } from './page-headers.js';
import { PAGES } from './pages.js';

const HINT = /(<meta name="tieline-sessions" content=")[^"]*(")/;

/** The folder of the build, in this checkout or in the image. */
export const BUILT = path.resolve(import.meta.dirname, '../../../apps/console/dist');

/**
 * Serves the built console of `folder`: its page at `/` and at every address below {@link PAGES},
 * its files below `/assets` with long-term caching. Without a build the same addresses show a page
 * that says so. Must be called before the application listens.
 *
 * @param store origin of the store that files are uploaded to and downloaded from
 */
export async function serveConsole(fastify: FastifyInstance, folder: string, store: string): Promise<void> {
  const headers = pageHeaders(store);
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
  const answer = (request: FastifyRequest, reply: FastifyReply) =>
    reply
      .status(page === undefined ? 503 : 200)
      .headers(headers)
      .send(page === undefined ? NOT_BUILT : withSessionHint(page, request));
  for (const url of ['/', ...PAGES.flatMap((name) => [`/${name}`, `/${name}/*`])]) fastify.get(url, answer);
  await serveWorker(fastify, folder);
  if (page !== undefined) await serveFiles(fastify, path.join(folder, 'assets'));
}

/**
 * Tells the page which sessions its browser may have. It cannot read the cookies, and can skip the
 * request without one.
 */
const withSessionHint = (page: string, { headers }: FastifyRequest): string =>
  page.replace(HINT, `$1${sessionKindsIn(headers.cookie).join(' ') || 'none'}$2`);

/** The service worker for push notifications. At the top level, because its scope is all pages. */
async function serveWorker(fastify: FastifyInstance, folder: string): Promise<void> {
  const script = await readFile(path.join(folder, 'service-worker.js'), 'utf8').catch(() => undefined);
  if (script === undefined) return;
  fastify.get('/service-worker.js', (_request, reply) => reply.headers(SERVICE_WORKER_HEADERS).send(script));
}

async function serveFiles(fastify: FastifyInstance, root: string): Promise<void> {
  await fastify.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    setHeaders: (reply) => {
      for (const [name, value] of Object.entries(FILE_HEADERS)) void reply.header(name, value);
    },
  });
}
