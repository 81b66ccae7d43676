import { Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { LOGGER } from './logger.js';
import { ProcessMetrics } from './observability.metrics.js';

/** Polled every few seconds by machines: their lines would bury the others. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

/**
 * Counts every answered request and logs one line about it. The line contains the route's pattern
 * instead of the address, which may contain tokens.
 */
@Injectable()
export class RequestObserver {
  constructor(
    host: HttpAdapterHost,
    private readonly metrics: ProcessMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const fastify = host.httpAdapter?.getInstance<FastifyInstance | undefined>();
    // Registered before the routes: hooks apply to routes that come after them.
    fastify?.addHook?.('onResponse', (request, reply, done) => {
      this.observe(request, reply);
      done();
    });
  }

  private observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unmatched';
    // A stream lives for hours: its duration says nothing about the speed of the route.
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
