import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Received, Receiver, SignedRequest } from './receiver.js';

/** Tieline sends less. */
const MAX_BYTES = 1024 * 1024;

/** A request whose body somebody may have read already. */
type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** For `node:http`, Express and whatever else has its signature. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/** For Hono, Deno, Bun, workers and other serverless places. */
export type FetchHandler = (request: Request, context?: FetchContext) => Promise<Response>;

/** What such places offer: work that goes on after the response. */
export interface FetchContext {
  waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * For `express.json({ verify: keepRawBody })`: signatures are made of the bytes as they came, which a parsed body no longer has. Not needed
 * where no parser runs before the bot's handler.
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Uint8Array): void {
  (request as NodeRequest).rawBody = body;
}

/** @returns a handler that never rejects */
export function nodeHandler(receiver: Receiver, log: (text: string, error?: unknown) => void): NodeHandler {
  return async (request, response) => {
    try {
      const body = await bodyOf(request);
      if (!body) return void response.writeHead(413, { connection: 'close' }).end();
      const { reply } = await receiver.receive(signedRequest(request, body));
      const { status, headers = {}, body: text } = await reply;
      response.writeHead(status, headers).end(text);
    } catch (error) {
      log('could not receive a request', error);
      if (!response.headersSent) response.writeHead(500).end();
    }
  };
}

/** @returns a handler that rejects only when the request can't be read */
export function fetchHandler(receiver: Receiver): FetchHandler {
  return async (request, context) => {
    const { reply, done } = await receiver.receive({
      method: request.method,
      header: (name) => request.headers.get(name) ?? undefined,
      body: new Uint8Array(await request.arrayBuffer()),
    });
    if (context?.waitUntil) keepAlive(context, done);
    const { status, headers = {}, body = null } = await reply;
    return new Response(body, { status, headers });
  };
}

/** Called on the object: some places insist on it. */
function keepAlive(context: FetchContext, done: Received['done']): void {
  context.waitUntil?.(done);
}

/** The part of Fastify that the plugin needs. */
export interface FastifyPart {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
  ): void;
  post(
    path: string,
    handler: (request: FastifyPartRequest, reply: FastifyPartReply) => Promise<unknown>,
  ): unknown;
}

interface FastifyPartRequest {
  method: string;
  headers: IncomingMessage['headers'];
  body: unknown;
}

interface FastifyPartReply {
  code(status: number): FastifyPartReply;
  headers(values: Readonly<Record<string, string>>): FastifyPartReply;
  send(body?: string): unknown;
}

/** @returns a plugin: in its own scope bodies stay the bytes that they are, elsewhere nothing changes */
export function fastifyPlugin(
  receiver: Receiver,
): (fastify: FastifyPart, options: { path?: string }) => Promise<void> {
  return (fastify, { path = '/' }) => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    fastify.post(path, async (request, response) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const { reply } = await receiver.receive(signedRequest(request, body));
      const { status, headers = {}, body: text } = await reply;
      return response.code(status).headers(headers).send(text);
    });
    return Promise.resolve();
  };
}

function signedRequest(request: Pick<NodeRequest, 'method' | 'headers'>, body: Uint8Array): SignedRequest {
  return {
    method: request.method ?? '',
    header: (name) => [request.headers[name]].flat()[0],
    body,
  };
}

/** @returns undefined when it is too long. @throws when only a parsed body is left */
async function bodyOf(request: NodeRequest): Promise<Uint8Array | undefined> {
  const read = request.rawBody ?? request.body;
  if (read instanceof Uint8Array) return read;
  if (typeof read === 'string') return new TextEncoder().encode(read);
  if (request.readableEnded)
    throw new Error(
      'the body was parsed before the bot saw it, and signatures are made of the raw bytes: use express.json({ verify: keepRawBody })',
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BYTES) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}
