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
import { ClientAddresses } from './callers/client-addresses.js';
import { ChargedWrites } from './callers/write-charges.js';
import { BodyWarnings } from './bodies/body-warnings.js';
import { ErrorFilter, sendError, toApiError } from './error-filter.js';
import { JSON_BODY_LIMIT, readJsonBodies } from './json-body.js';
import { KnownRoutes, ROUTER_OPTIONS } from './routes/known-routes.js';
import { Listeners } from './routes/listeners.js';
import type { PrivatePorts } from './routes/listeners.js';
import { ServerRules } from './limits/server-rules.js';
import { watchBodies } from './limits/unfinished-bodies.js';
import { requestId } from './request-id.js';
import { DEFAULT_HEADERS, keepJsonFromCaches } from './response-headers.js';
import { leaveStreamedBodies } from './streamed-body.js';
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
  /**
   * Tests of a part: without a lib that counts, writes have no rate. Elsewhere a guarded write
   * without one is a fault.
   */
  mayLackRates?: boolean;
  /** Ports of the parts that the public listener does not serve; see `listenPrivately`. */
  privatePorts?: PrivatePorts;
  /** Address ranges of the proxies in front; see {@link ClientAddresses}. */
  trustedProxies?: readonly string[];
}

/**
 * Builds the HTTP application of one process, with everything that holds for every route: request
 * ids, headers, JSON bodies, validation, error shapes, 404 and 405. Not yet listening.
 */
export async function createHttpApp(
  module: Type | DynamicModule,
  settings: HttpAppSettings,
): Promise<NestFastifyApplication> {
  const { logger, nestLogger, limits = new RequestLimits(new Environment({})) } = settings;
  const { mayLackRates = false } = settings;
  const routes = new KnownRoutes();
  const rules = new ServerRules(limits, routes);
  const adapter = new TielineAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: JSON_BODY_LIMIT,
    genReqId: requestId,
    requestIdHeader: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    requestTimeout: rules.options.requestTimeout,
    http: rules.options,
    // An address that cannot be decoded never reaches a route or hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      adapter.answerUnreachable(request, reply, error),
    clientErrorHandler: rules.refuseUnreadable,
    routerOptions: ROUTER_OPTIONS,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  // Before there are routes: each takes what is set when it is made.
  fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  fastify.decorate('serverRules', rules);
  fastify.decorate('listeners', new Listeners(settings.privatePorts));
  fastify.decorate('clientAddresses', new ClientAddresses(settings.trustedProxies));
  RequestTraces.of(fastify);
  routes.watch(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersFor(request));
    // Before its body is read: nothing in a body makes another answer of these.
    const refused = refusalOf(request);
    if (refused) sendError(request, reply, refused, routes.errorsAt(request.raw));
    else done();
  });
  refuseWithoutToken(fastify);
  // Behind the body: what reads it runs in the context of the connection, and not of the request.
  fastify.addHook('preHandler', (_request, _reply, done) => inRequest(done));
  rules.apply(fastify.server);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger,
    abortOnError: false,
  });
  readJsonBodies(fastify);
  BodyWarnings.of(fastify);
  keepJsonFromCaches(fastify);
  watchBodies(fastify, limits.unfinishedBytes);
  leaveStreamedBodies(fastify, rules.streaming);
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalInterceptors(new ChargedWrites(app, mayLackRates));
  app.useGlobalPipes(new RequestValidationPipe());
  await app.init();
  return app;
}

const headersFor = ({ id }: FastifyRequest): Record<string, string> => ({
  ...DEFAULT_HEADERS,
  'x-request-id': id,
});

/**
 * Why no route may serve this request: it is malformed, or its listener knows no such path (404) or
 * method (405).
 */
function refusalOf(request: FastifyRequest): ApiError | undefined {
  const { serverRules, listeners, knownRoutes } = request.server;
  const refused = serverRules.refusalOf(request);
  if (refused) return refused;
  if (request.is404 || knownRoutes.isOfAnotherPath(request)) return unroutedError(request);
  return listeners.serves(request, request.routeOptions.config.part) ? undefined : notFound();
}

/** 404, or 405 with `Allow` on a path that this listener knows. */
function unroutedError(request: FastifyRequest): ApiError {
  const { listeners, knownRoutes } = request.server;
  const allowed = [...(knownRoutes.at(request.raw)?.methods ?? [])]
    .filter(([, { part }]) => listeners.serves(request, part))
    .map(([method]) => method);
  // A route that found no file of that name leaves it to us as well: its method was right.
  return allowed.length > 0 && !allowed.includes(request.method)
    ? methodNotAllowed(allowed.sort())
    : notFound();
}

/**
 * Nest's adapter with our answers for unknown routes and for Fastify's own errors (bad JSON, too
 * large).
 */
class TielineAdapter extends FastifyAdapter {
  /**
   * Nest sets one when all routes are made: too late for them where a module has waited for a
   * plugin, which makes Fastify boot.
   */
  override setErrorHandler(): ReturnType<FastifyAdapter['setErrorHandler']> {
    return this.getInstance() as never;
  }

  override setNotFoundHandler(): ReturnType<FastifyAdapter['setNotFoundHandler']> {
    return this.getInstance<FastifyInstance>().setNotFoundHandler((request, reply) =>
      sendError(request, reply, unroutedError(request), request.server.knownRoutes.errorsAt(request.raw)),
    ) as never;
  }

  /**
   * What keeps the router from looking for a route at all, such as a path that cannot be decoded.
   */
  answerUnreachable(request: FastifyRequest, reply: FastifyReply, error: FastifyError): void {
    void reply.headers(headersFor(request));
    const errors = (this.getInstance() as unknown as FastifyInstance).knownRoutes.errorsAt(request.raw);
    const { status, code, text } = toApiError(error);
    const own = error.code === 'FST_ERR_BAD_URL' ? errors?.undecodable : undefined;
    sendError(request, reply, new ApiError(own ?? status, code, text), errors);
  }
}
