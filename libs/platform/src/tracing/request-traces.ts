import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isTracing, tracer } from './tracing.js';

/** Polled every few seconds by machines. */
const QUIET = new Set(['/health/live', '/health/ready', '/metrics']);

interface RequestSpan {
  span: Span;
  inside: Context;
}

/**
 * Records a span for each request, named by its route's pattern: addresses can contain tokens. It
 * continues the caller's trace, or begins one; the SDK's sampler decides which are recorded.
 * Without tracing, requests are not affected.
 */
export class RequestTraces {
  private readonly traced = new WeakMap<FastifyRequest, RequestSpan>();

  /** Registered before the routes: hooks apply to routes that come after them. */
  static of(fastify: FastifyInstance): void {
    if (isTracing()) new RequestTraces().watch(fastify);
  }

  private watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', (request, _reply, done) => {
      this.begin(request);
      done();
    });
    // After the body is read: reading it runs in the context of the connection, not of the request.
    fastify.addHook('preHandler', (request, _reply, done) => {
      const traced = this.traced.get(request);
      if (traced) context.with(traced.inside, done);
      else done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      this.end(request, reply);
      done();
    });
  }

  private begin(request: FastifyRequest): void {
    const route = request.routeOptions.url ?? 'unmatched';
    if (QUIET.has(route)) return;
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const span = tracer().startSpan(
      `${request.method} ${route}`,
      { kind: SpanKind.SERVER, attributes },
      parent,
    );
    this.traced.set(request, { span, inside: trace.setSpan(parent, span) });
  }

  private end(request: FastifyRequest, { statusCode }: FastifyReply): void {
    const span = this.traced.get(request)?.span;
    if (!span) return;
    span.setAttributes({ 'http.response.status_code': statusCode, 'tieline.request_id': request.id });
    if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}
