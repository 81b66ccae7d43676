import { readFile } from 'node:fs/promises';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NOT_BUILT } from './not-built.js';
import { FILE_HEADERS, PAGE_HEADERS } from './page-headers.js';
import { PAGES } from './pages.js';

/** Where a build in this checkout, or in the image, is. */
export const BUILT = path.resolve(import.meta.dirname, '../../../apps/console/dist');

/**
 * Serves the built console of `folder`: its page at `/` and at every address below {@link PAGES}, its files below `/assets`, kept by
 * browsers for good. Without a build the same addresses answer a page that says so. Must be called before the application listens.
 */
export async function serveConsole(fastify: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(path.join(folder, 'index.html'), 'utf8').catch(() => undefined);
  const answer = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .status(page === undefined ? 503 : 200)
      .headers(PAGE_HEADERS)
      .send(page ?? NOT_BUILT);
  for (const url of ['/', ...PAGES.flatMap((name) => [`/${name}`, `/${name}/*`])]) fastify.get(url, answer);
  if (page !== undefined) await serveFiles(fastify, path.join(folder, 'assets'));
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
