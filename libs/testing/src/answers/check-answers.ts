import { channel } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AnswerCheck, OpenApiDocument, SeenAnswer } from './answer-check.js';
import type { AnswerFaults } from './answer-faults.js';

/**
 * Kept for the life of the process: Node forgets a channel without references, and may then
 * give Fastify and a subscriber two channels of the same name.
 */
const servers = channel('fastify.initialization');
const DOCUMENT = '/api/openapi.json';
const PAGES = /^\/api\/(docs|openapi|webhooks\.json)/;

/**
 * Checks every response of every server that this process creates from now on. Servers without an
 * OpenAPI document are not checked, because they are not part of the product.
 * @returns a function that excludes later servers
 */
export function checkAnswers(faults: AnswerFaults): () => void {
  const watch = (message: unknown): void =>
    new AnswerWatcher((message as ServerParts).fastify, faults).watch();
  servers.subscribe(watch);
  return () => void servers.unsubscribe(watch);
}

interface ServerParts {
  fastify: FastifyInstance;
}

class AnswerWatcher {
  private check: Promise<AnswerCheck | undefined> | undefined;

  constructor(
    private readonly fastify: FastifyInstance,
    private readonly faults: AnswerFaults,
  ) {}

  watch(): void {
    this.fastify.addHook('onSend', async (request, reply, payload) => {
      if (!PAGES.test(request.url)) await this.inspect(seen(request, reply, payload));
    });
  }

  private async inspect(response: SeenAnswer): Promise<void> {
    const check = await (this.check ??= this.createCheck());
    const fault = check?.fault(response);
    if (fault) this.faults.add(fault);
  }

  private async createCheck(): Promise<AnswerCheck | undefined> {
    if (!this.fastify.hasRoute({ method: 'GET', url: DOCUMENT })) return undefined;
    const { payload } = await this.fastify.inject(DOCUMENT);
    return checkOf(payload);
  }
}

/** Checks of the last documents, because test files of a lib often have the same. */
const checks = new Map<string, AnswerCheck>();
const KEPT = 8;

async function checkOf(text: string): Promise<AnswerCheck> {
  const { AnswerCheck: Check } = await import('./answer-check.js');
  const check = checks.get(text) ?? new Check(JSON.parse(text) as OpenApiDocument);
  checks.delete(text);
  checks.set(text, check);
  for (const oldest of [...checks.keys()].slice(0, -KEPT)) checks.delete(oldest);
  return check;
}

/** Whether the request failed before routing, which the document does not describe. */
function isOfNoRoute(request: FastifyRequest, reply: FastifyReply, payload: unknown): boolean {
  return request.is404 || reply.statusCode === 417 || String(payload).includes('"code":"missing_host"');
}

function seen(request: FastifyRequest, reply: FastifyReply, payload: unknown): SeenAnswer {
  const type = reply.getHeader('content-type');
  return {
    method: request.method,
    route: isOfNoRoute(request, reply, payload) ? undefined : request.routeOptions.url,
    status: reply.statusCode,
    type: type === undefined ? undefined : String(type).split(';', 1)[0]?.trim(),
    text: typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.toString() : undefined,
  };
}
