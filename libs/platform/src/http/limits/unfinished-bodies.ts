import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { JSON_BODY_LIMIT } from '../json-body.js';
import type { KnownRoutes } from '../routes/known-routes.js';
import { answerAndCut, requestTimeout } from './unreadable-request.js';

/**
 * Limits the total bytes of bodies in progress in this process. Beyond the limit the oldest body
 * gets 408. Normal bodies arrive within moments; bodies that are held back on purpose are the
 * oldest.
 */
class UnfinishedBodies {
  /** In order of their start. */
  private readonly sizes = new Map<IncomingMessage, number>();
  private held = 0;

  /** @param maxBytes of all bodies of this process */
  constructor(
    private readonly maxBytes: number,
    private readonly routes: KnownRoutes,
  ) {}

  /** Bytes held now. */
  get bytes(): number {
    return this.held;
  }

  /**
   * Counts the incoming bytes of this body. Its reader must start in the same turn of the event
   * loop: from here on the bytes flow.
   */
  watch(request: IncomingMessage): void {
    const take = (chunk: Buffer): void => {
      // Most bodies arrive with their headers.
      if (request.complete) return;
      if (!this.sizes.has(request)) this.begin(request);
      const size = (this.sizes.get(request) ?? 0) + chunk.length;
      this.sizes.set(request, size);
      this.held += chunk.length;
      // The reader rejected it and reads no further.
      if (size > JSON_BODY_LIMIT) this.release(request.off('data', take));
      if (this.held > this.maxBytes) this.giveUpOldest();
    };
    request.on('data', take);
  }

  private begin(request: IncomingMessage): void {
    this.sizes.set(request, 0);
    const end = (): void => this.release(request);
    request.once('end', end).once('close', end);
  }

  private release(request: IncomingMessage): void {
    this.held -= this.sizes.get(request) ?? 0;
    this.sizes.delete(request);
  }

  private giveUpOldest(): void {
    const [oldest] = this.sizes.keys();
    if (!oldest) return;
    this.release(oldest);
    answerAndCut(oldest.socket, requestTimeout(), {
      request: oldest,
      errors: this.routes.errorsAt(oldest),
    });
  }
}

declare module 'fastify' {
  interface FastifyInstance {
    unfinishedBodies: UnfinishedBodies;
  }
}

/** Watches the body of every request except those of `StreamedBody` routes, which are exempt. */
export function watchBodies(fastify: FastifyInstance, maxBytes: number): void {
  const bodies = new UnfinishedBodies(maxBytes, fastify.knownRoutes);
  fastify.decorate('unfinishedBodies', bodies);
  fastify.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, method, routeOptions } = request;
    const isRead = method !== 'GET' && method !== 'HEAD' && !routeOptions.config.streamedBody;
    if (isRead && Number(raw.headers['content-length'] ?? JSON_BODY_LIMIT) <= JSON_BODY_LIMIT)
      bodies.watch(raw);
    done(null, payload);
  });
}
