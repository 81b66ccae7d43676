import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { routeConfig } from './routes/route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    streamedBody?: boolean;
    /** The route itself sends `100 Continue` to a client that waits for it. */
    asksForBody?: boolean;
  }
}

/**
 * A route that reads its body from `request.raw`: nothing is parsed, collected or limited before.
 * The route must read the body completely or cut off the rest, and limits its duration. With
 * `asksForBody` it also calls `writeContinue()` when it wants the body; otherwise clients get `100
 * Continue` immediately.
 */
export const StreamedBody = ({ asksForBody = false } = {}): MethodDecorator =>
  routeConfig({ streamedBody: true, asksForBody });

/**
 * Keeps the JSON reader away from the bodies of {@link StreamedBody} routes that are registered
 * from now on.
 * @param streaming connections with such a request in progress
 */
export function leaveStreamedBodies(fastify: FastifyInstance, streaming: WeakSet<Socket>): void {
  fastify.addHook('onRoute', (route: RouteOptions) => {
    if (!route.config?.streamedBody) return;
    route.bodyLimit = Number.MAX_SAFE_INTEGER;
    route.preParsing = (request, reply, _payload, done) => {
      const { socket } = request.raw;
      streaming.add(socket);
      reply.raw.once('close', () => streaming.delete(socket));
      // The content type is not checked either: the route finds it in `request.raw.headers`.
      request.headers = { 'content-type': undefined };
      done(null, nothingOf(request));
    };
  });
}

/** An empty stream for the JSON reader, with the announced length. */
function nothingOf({ headers }: FastifyRequest): Readable & { receivedEncodedLength: number } {
  return Object.assign(Readable.from([]), { receivedEncodedLength: Number(headers['content-length'] ?? 0) });
}
