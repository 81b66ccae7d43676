import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import { routeConfig } from './routes/route-config.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    streamedBody?: boolean;
    /** The route itself tells a client that waits (`Expect: 100-continue`) to go on. */
    asksForBody?: boolean;
  }
}

/**
 * A route that reads its body from `request.raw` by itself: nothing is parsed, collected or limited
 * before. Such a route must read the body to its end, or see to it that the rest is read or cut
 * off; how long that may take is for the route to say. With `asksForBody` it also calls
 * `writeContinue()` when it wants the body; otherwise clients are told to go on immediately.
 */
export const StreamedBody = ({ asksForBody = false } = {}): MethodDecorator =>
  routeConfig({ streamedBody: true, asksForBody });

/**
 * Keeps the JSON reader away from the bodies of {@link StreamedBody} routes that are registered
 * from now on.
 * @param streaming connections over which such a request is on its way
 */
export function leaveStreamedBodies(fastify: FastifyInstance, streaming: WeakSet<Socket>): void {
  fastify.addHook('onRoute', (route: RouteOptions) => {
    if (!route.config?.streamedBody) return;
    route.bodyLimit = Number.MAX_SAFE_INTEGER;
    route.preParsing = (request, reply, _payload, done) => {
      const { socket } = request.raw;
      streaming.add(socket);
      reply.raw.once('close', () => streaming.delete(socket));
      // Nor is its type judged: whoever reads it finds it in `request.raw.headers`.
      request.headers = { 'content-type': undefined };
      done(null, nothingOf(request));
    };
  });
}

/** What the JSON reader reads instead: nothing, which claims to be as long as was announced. */
function nothingOf({ headers }: FastifyRequest): Readable & { receivedEncodedLength: number } {
  return Object.assign(Readable.from([]), { receivedEncodedLength: Number(headers['content-length'] ?? 0) });
}
