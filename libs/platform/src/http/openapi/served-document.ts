import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
const ENCODERS = {
  br: (bytes: Buffer) => promisify(brotliCompress)(bytes, QUALITY),
  gzip: (bytes: Buffer) => promisify(gzip)(bytes),
  identity: (bytes: Buffer) => Promise.resolve(bytes),
};
type Encoding = keyof typeof ENCODERS;

/**
 * Serves a document as JSON: compressed if the caller accepts that, and as 304 if the caller has it
 * already.
 */
export function serveDocument(app: INestApplication, path: string, document: OpenAPIObject): void {
  const bytes = Buffer.from(JSON.stringify(document));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 27);
  const encoded = new Map<Encoding, Promise<Buffer>>();
  app.getHttpAdapter().get(path, async ({ headers }: FastifyRequest, reply: FastifyReply) => {
    const encoding = encodingFor(headers['accept-encoding']);
    const tag = `"${hash}-${encoding}"`;
    reply.headers({ etag: tag, vary: 'Accept-Encoding', 'cache-control': 'no-cache' });
    if (isKnown(headers['if-none-match'], hash)) return reply.status(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    const body = encoded.get(encoding) ?? ENCODERS[encoding](bytes);
    encoded.set(encoding, body);
    return reply.type('application/json; charset=utf-8').send(await body);
  });
}

function encodingFor(accepted: string | undefined): Encoding {
  if (accepted === undefined || accepted.trim() === '') return 'identity';
  return (negotiate(accepted, Object.keys(ENCODERS)) ?? 'identity') as Encoding;
}

/** Returns whether the caller has this document, in any encoding. */
function isKnown(tags: string | undefined, hash: string): boolean {
  if (tags === undefined) return false;
  return tags
    .split(',')
    .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '').startsWith(`"${hash}-`));
}
