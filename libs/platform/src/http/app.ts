import type { Socket } from 'node:net';
import type { DynamicModule, INestApplication, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { inRequest } from '@tieline/background';
import { Environment, RequestLimits } from '../config/index.js';
import { ApiError, methodNotAllowed, notFound } from './api-error.js';
import { refuseWithoutToken } from './callers/authentication.js';
import { ChargedWrites } from './callers/write-charges.js';
import { BodyWarnings } from './bodies/body-warnings.js';
import { ErrorFilter, sendError, toApiError } from './error-filter.js';
import { JSON_BODY_LIMIT, readJsonBodies } from './json-body.js';
import { KnownRoutes } from './routes/known-routes.js';
import { cutStalledConnections } from './limits/stalled-connections.js';
import { watchBodies } from './limits/unfinished-bodies.js';
import { isMisplaced } from './routes/private-ports.js';
import type { PrivatePart } from './routes/private-ports.js';
import { requestId } from './request-id.js';
import { leaveStreamedBodies } from './streamed-body.js';
import { answerUnreadable } from './limits/unreadable-request.js';
import { RequestValidationPipe } from './validation.js';
import { RequestTraces } from '../tracing/index.js';

/** Settings of {@link createHttpApp}. */
export interface HttpAppSettings {
  /** Where Fastify writes what concerns a single request. */
  logger: FastifyBaseLogger;
  /** Nest's own logger. */
  nestLogger: Parameters<INestApplication['useLogger']>[0];
  /** What clients may take; the defaults, unless given. */
  limits?: RequestLimits;
  /** Tests of a part: without a lib that counts, writes have no rate. Elsewhere a guarded write without one is a fault. */
  mayLackRates?: boolean;
  /** What is not to be found where the rest is; see `listenPrivately`. */
  privateParts?: readonly PrivatePart[];
}

/** How often Node looks for requests that take too long to arrive, in milliseconds. */
const LATE_REQUESTS_EVERY_MS = 500;

/**
 * Builds the HTTP application of one process, with everything that holds for every route: request ids, JSON bodies,
 * validation, error shapes, 404 and 405. Not yet listening.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  {
    logger,
    nestLogger,
    limits = new RequestLimits(new Environment({})),
    mayLackRates = false,
    privateParts = [],
  }: HttpAppSettings,
): Promise<NestFastifyApplication> {
  const streaming = new WeakSet<Socket>();
  const requestTimeout = limits.requestSeconds * 1000;
  const adapter = new TielineAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestId,
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout,
    http: {
      requestTimeout,
      headersTimeout: Math.min(limits.headersSeconds * 1000, requestTimeout),
      connectionsCheckingInterval: LATE_REQUESTS_EVERY_MS,
    },
    // An address that cannot be decoded never reaches a route or hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      adapter.answerUnreachable(request, reply.header('x-request-id', request.id), error),
    clientErrorHandler: (error: NodeJS.ErrnoException, socket) =>
      answerUnreadable(error, socket as Socket, (one) => streaming.has(one)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 512 },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  // Before there are routes: each takes what is set when it is made.
  fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  RequestTraces.of(fastify);
  adapter.routes.watch(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    // Before its body is read: nothing in a body makes another answer of 404 or 405.
    const isElsewhere =
      privateParts.length > 0 && isMisplaced(privateParts, pathOf(request), request.raw.socket.localPort);
    if (isElsewhere) sendError(request, reply, notFound());
    else if (request.is404) adapter.answerUnrouted(request, reply);
    else done();
  });
  refuseWithoutToken(fastify);
  // Behind the body: what reads it runs in the context of the connection, and not of the request.
  fastify.addHook('preHandler', (_request, _reply, done) => inRequest(done));
  fastify.server.maxConnections = limits.connections;
  cutStalledConnections(fastify.server, limits.stalledSeconds * 1000);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger,
    abortOnError: false,
  });
  readJsonBodies(fastify);
  BodyWarnings.of(fastify);
  watchBodies(fastify, limits.unfinishedBytes);
  leaveStreamedBodies(fastify, streaming);
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalInterceptors(new ChargedWrites(app, mayLackRates));
  app.useGlobalPipes(new RequestValidationPipe());
  await app.init();
  return app;
}

/** Nest's adapter with our answers for unknown routes and for Fastify's own errors (bad JSON, too large). */
class TielineAdapter extends FastifyAdapter {
  readonly routes = new KnownRoutes();

  /** Nest sets one when all routes are made: too late for them where a module has waited for a plugin, which makes Fastify boot. */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance() as never;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance<FastifyInstance>().setNotFoundHandler((request, reply) =>
      this.answerUnrouted(request, reply),
    ) as never;
  }

  /** 404, or 405 with `Allow` on a known path. */
  answerUnrouted(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request);
    const allowed = this.routes.allowed(path);
    // A route that found no file of that name leaves it to us as well: its method was right.
    const error = allowed && !allowed.includes(request.method) ? methodNotAllowed(allowed) : notFound();
    sendError(request, reply, error, this.routes.errorsAt(path));
  }

  /** What keeps the router from looking for a route at all, such as a path that cannot be decoded. */
  answerUnreachable(request: FastifyRequest, reply: FastifyReply, error: FastifyError): void {
    const errors = this.routes.errorsAt(pathOf(request));
    const { status, code, text } = toApiError(error);
    const own = error.code === 'FST_ERR_BAD_URL' ? errors?.undecodable : undefined;
    sendError(request, reply, new ApiError(own ?? status, code, text), errors);
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
