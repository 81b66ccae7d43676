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
import { requireDeclaredScopes } from './callers/route-scopes.js';
import { requireWriteCharges, writeChargesOf } from './callers/write-charges.js';
import { BodyWarnings } from './bodies/body-warnings.js';
import { ErrorFilter, sendError, toApiError } from './error-filter.js';
import { JSON_BODY_LIMIT, readJsonBodies } from './json-body.js';
import { KnownRoutes, ROUTER_OPTIONS } from './routes/known-routes.js';
import { Listeners } from './routes/listeners.js';
import type { PrivatePorts } from './routes/listeners.js';
import { takeTurns } from './limits/request-turns.js';
import { ServerRules } from './limits/server-rules.js';
import { watchBodies } from './limits/unfinished-bodies.js';
import { requestId } from './request-id.js';
import { DEFAULT_HEADERS, keepJsonFromCaches } from './response-headers.js';
import { leaveStreamedBodies } from './streamed-body.js';
import { RequestValidationPipe } from './validation.js';
import { RequestTraces } from '../tracing/index.js';

/** Settings of {@link createHttpApp}. */
export interface HttpAppSettings {
  /** Fastify's logger for lines about a single request. */
  logger: FastifyBaseLogger;
  /** Nest's own logger. */
  nestLogger: Parameters<INestApplication['useLogger']>[0];
  /** Request limits; defaults to the settings' defaults. */
  limits?: RequestLimits;
  /**
   * For tests of a single lib: writes have no rate without the lib that counts. Elsewhere a process
   * does not start without it.
   */
  mayLackRates?: boolean;
  /** Ports of the parts that the public listener does not serve; see `listenPrivately`. */
  privatePorts?: PrivatePorts;
  /** Address ranges of the proxies in front; see {@link ClientAddresses}. */
  trustedProxies?: readonly string[];
}

/**
 * Builds the HTTP application of one process with everything that applies to every route: request
 * ids, headers, JSON bodies, validation, error shapes, 404 and 405. It does not listen yet.
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
    // An address that cannot be decoded reaches no route or hook.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      adapter.answerUnreachable(request, reply, error),
    clientErrorHandler: rules.refuseUnreadable,
    routerOptions: ROUTER_OPTIONS,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  // Set before the routes are created: each takes the handler of its creation.
  fastify.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  fastify.decorate('serverRules', rules);
  fastify.decorate('listeners', new Listeners(settings.privatePorts));
  fastify.decorate('clientAddresses', new ClientAddresses(settings.trustedProxies));
  RequestTraces.of(fastify);
  routes.watch(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headersFor(request));
    // Before the body is read: no body changes these answers.
    const refused = refusalOf(request);
    if (refused) sendError(request, reply, refused, routes.errorsAt(request.raw));
    else done();
  });
  refuseWithoutToken(fastify);
  takeTurns(fastify);
  // After the body is read: reading it runs in the context of the connection, not of the request.
  fastify.addHook('preHandler', (request, _reply, done) =>
    request.routeOptions.config.guarded ? inRequest(done) : done(),
  );
  rules.apply(fastify.server);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: nestLogger,
    abortOnError: false,
  });
  fastify.decorate('writeCharges', writeChargesOf(app));
  readJsonBodies(fastify);
  BodyWarnings.of(fastify);
  keepJsonFromCaches(fastify);
  watchBodies(fastify, limits.unfinishedBytes);
  leaveStreamedBodies(fastify, rules.streaming);
  app.useGlobalFilters(new ErrorFilter());
  app.useGlobalPipes(new RequestValidationPipe());
  await app.init();
  requireDeclaredScopes(routes);
  if (!mayLackRates) requireWriteCharges(fastify);
  return app;
}

const headersFor = ({ id }: FastifyRequest): Record<string, string> => ({
  ...DEFAULT_HEADERS,
  'x-request-id': id,
});

/**
 * Returns why no route may serve this request: it is malformed, or its listener has no such path
 * (404) or method (405).
 */
function refusalOf(request: FastifyRequest): ApiError | undefined {
  const { serverRules, listeners, knownRoutes } = request.server;
  const refused = serverRules.refusalOf(request);
  if (refused) return refused;
  if (request.is404 || knownRoutes.isOfAnotherPath(request)) return unroutedError(request);
  return listeners.serves(request, request.routeOptions.config.part) ? undefined : notFound();
}

/** 404, or 405 with `Allow` on a path that this listener serves. */
function unroutedError(request: FastifyRequest): ApiError {
  const { listeners, knownRoutes } = request.server;
  const allowed = [...(knownRoutes.at(request.raw)?.methods ?? [])]
    .filter(([, { part }]) => listeners.serves(request, part))
    .map(([method]) => method);
  // A file route without a matching file ends here too: its method is allowed.
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
   * Does nothing: Nest sets the handler after all routes are created. That is too late if a module
   * awaited a plugin, which makes Fastify boot.
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
   * Answers errors that keep the router from looking for a route, such as a path that cannot be
   * decoded.
   */
  answerUnreachable(request: FastifyRequest, reply: FastifyReply, error: FastifyError): void {
    void reply.headers(headersFor(request));
    const errors = (this.getInstance() as unknown as FastifyInstance).knownRoutes.errorsAt(request.raw);
    const { status, code, text } = toApiError(error);
    const own = error.code === 'FST_ERR_BAD_URL' ? errors?.undecodable : undefined;
    sendError(request, reply, new ApiError(own ?? status, code, text), errors);
  }
}
