import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from './logger.js';
import { ProcessMetrics } from './observability.metrics.js';

/** Asked for every few seconds by machines: lines about them would bury the others. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Counts every answered request and writes one line about it. The route's pattern stands for the
 * address: real addresses can contain tokens.
 */
@Injectable()
export class RequestObserver {
  constructor(
    host: HttpAdapterHost,
    private readonly metrics: ProcessMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const fastify = host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    // Made before the routes are: hooks hold for routes that come after them.
    fastify?.addHook?.('onResponse', (request, reply, done) => {
      this.observe(request, reply);
      done();
    });
  }

  private observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unmatched';
    // A stream lives for hours: its length says nothing about how fast the route answers.
    const isStream = String(reply.getHeader('content-type') ?? '').startsWith('text/event-stream');
    if (!isStream) this.metrics.request(request.method, route, reply.statusCode, reply.elapsedTime);
    const line = {
      request_id: request.id,
      method: request.method,
      route,
      listener: request.server.listeners.nameOf(request),
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime * 100) / 100,
    };
    if (QUIET.has(route)) this.logger.debug(line, 'request');
    else this.logger.info(line, 'request');
  }
}
