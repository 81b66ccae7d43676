import type { IncomingMessage, ServerResponse } from 'node:http';
import { rawBodyOf } from '../../signatures/raw-body.js';
import type { RequestWithBody } from '../../signatures/raw-body.js';
import type { Log } from './connector.js';
import type { ReceiveResult, Receiver, Reply } from './receiver.js';

/** A request whose body may already have been read. */
type NodeRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/** Handler for `node:http`, Express and frameworks with the same signature. */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/** Handler for Hono, Deno, Bun, workers and serverless platforms. */
export type FetchHandler = (request: Request, context?: FetchContext) => Promise<Response>;

/** Context of such platforms, which can keep work running after the response. */
interface FetchContext {
  waitUntil?: (work: Promise<unknown>) => void;
}

/**
 * For `express.json({ verify: keepRawBody })`: signatures cover the raw bytes, which a parsed body
 * no longer has. Not needed if no body parser runs before the bot's handler.
 */
export function keepRawBody(request: IncomingMessage, _response: ServerResponse, body: Uint8Array): void {
  (request as NodeRequest).rawBody = body;
}

/** @returns a handler that never rejects */
export function nodeHandler(receiver: Receiver, log: Log): NodeHandler {
  return async (request, response) => {
    try {
      const { status, headers = {}, body } = await replyTo(receiver, request);
      response.writeHead(status, headers).end(body);
    } catch (error) {
      log('could not receive a request', error);
      if (!response.headersSent) response.writeHead(500, { connection: 'close' }).end();
    }
  };
}

async function replyTo(receiver: Receiver, request: NodeRequest): Promise<Reply> {
  try {
    const body = await rawBodyOf(request);
    const { method = '', headers } = request;
    return await (
      await receiver.receive({ method, headers, body })
    ).reply;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { status: 413, headers: { connection: 'close' } };
  }
}

/** @returns a handler that rejects only when the request cannot be read */
export function fetchHandler(receiver: Receiver): FetchHandler {
  return async (request, context) => {
    let body;
    try {
      body = await rawBodyOf(request as RequestWithBody);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return new Response(null, { status: 413 });
    }
    const headers = Object.fromEntries(request.headers);
    const { reply, done } = await receiver.receive({ method: request.method, headers, body });
    if (context?.waitUntil) keepAlive(context, done);
    const answer = await reply;
    return new Response(answer.body ?? null, { status: answer.status, headers: answer.headers ?? {} });
  };
}

/** Calls `waitUntil` as a method, which some platforms require. */
function keepAlive(context: FetchContext, done: ReceiveResult['done']): void {
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

/** @returns a plugin that keeps bodies as bytes within its own scope */
export function fastifyPlugin(
  receiver: Receiver,
): (fastify: FastifyPart, options: { path?: string }) => Promise<void> {
  return (fastify, { path = '/' }) => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    fastify.post(path, async (request, response) => {
      const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const { reply } = await receiver.receive({ method: request.method, headers: request.headers, body });
      const { status, headers = {}, body: text } = await reply;
      return response.code(status).headers(headers).send(text);
    });
    return Promise.resolve();
  };
}
