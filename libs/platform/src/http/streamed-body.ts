import { Readable } from 'node:stream';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    streamedBody?: boolean;
  }
}

/**
 * A route that reads its body from `request.raw` by itself: nothing is parsed, collected or limited before. Such a route
 * must read the body to its end, or see to it that the rest is read or cut off.
 */
export const StreamedBody = (): MethodDecorator => RouteConfig({ streamedBody: true });

/** Keeps the JSON reader away from the bodies of {@link StreamedBody} routes that are registered from now on. */
export function leaveStreamedBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route: RouteOptions) => {
    if (!route.config?.streamedBody) return;
    route.bodyLimit = Number.MAX_SAFE_INTEGER;
    route.preParsing = (request, _reply, _payload, done) => {
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
