import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { INestApplication } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../api-error.js';
import { sendError } from '../error-filter.js';

/** The path of the guides, as linked in the introduction of the document. */
const GUIDES = '/api/docs/guides/';

/**
 * Serves the Markdown files of a folder as plain text. They are read once. Without the folder there
 * are none.
 */
export function serveGuides(app: INestApplication, folder: URL): void {
  const texts = new Map(namesIn(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]));
  app.getHttpAdapter().get(`${GUIDES}:name`, (request: FastifyRequest, reply: FastifyReply) => {
    const text = texts.get((request.params as { name: string }).name);
    if (text === undefined) return sendError(request, reply, notFound());
    return reply.type('text/plain; charset=utf-8').send(text);
  });
}

function namesIn(folder: URL): string[] {
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.md')) : [];
}
