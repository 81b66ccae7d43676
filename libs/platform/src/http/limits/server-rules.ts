import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestLimits } from '../../config/index.js';
import { ApiError, badRequest } from '../api-error.js';
import type { KnownRoutes } from '../routes/known-routes.js';
import { cutStalledConnections } from './stalled-connections.js';
import { answerUnreadable } from './unreadable-request.js';

/** Interval in which Node looks for requests that take too long to arrive, in milliseconds. */
const LATE_REQUESTS_EVERY_MS = 500;

const missingHost = (): ApiError => badRequest('missing_host', 'missing Host header');
const expectationFailed = (): ApiError => new ApiError(417, 'expectation_failed', 'expectation failed');

declare module 'fastify' {
  interface FastifyInstance {
    serverRules: ServerRules;
  }
}

/**
 * Rules for every HTTP server of a process: limits, and proper answers where Node by itself would
 * send an empty body without a request id.
 */
export class ServerRules {
  /** Connections with a streamed body in progress. */
  readonly streaming = new WeakSet<Socket>();
  private readonly unmet = new WeakSet<IncomingMessage>();

  constructor(
    private readonly limits: RequestLimits,
    private readonly routes: KnownRoutes,
  ) {}

  /** Options of `http.createServer`. */
  get options(): {
    requestTimeout: number;
    headersTimeout: number;
    connectionsCheckingInterval: number;
    requireHostHeader: boolean;
  } {
    const requestTimeout = this.limits.requestSeconds * 1000;
    return {
      requestTimeout,
      headersTimeout: Math.min(this.limits.headersSeconds * 1000, requestTimeout),
      connectionsCheckingInterval: LATE_REQUESTS_EVERY_MS,
      requireHostHeader: false,
    };
  }

  /** Creates a further server of the application. */
  create(fastify: FastifyInstance): Server {
    const server = createServer(this.options, (request, response) => fastify.routing(request, response));
    server.on('clientError', this.refuseUnreadable);
    this.apply(server);
    return server;
  }

  /** Applies all rules except {@link options} and {@link refuseUnreadable}. */
  apply(server: Server): void {
    server.maxConnections = this.limits.connections;
    cutStalledConnections(server, this.limits.stalledSeconds * 1000);
    server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      const { method = '' } = request;
      if (!this.routes.at(request)?.methods.get(method)?.asksForBody) response.writeContinue();
      server.emit('request', request, response);
    });
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      this.unmet.add(request);
      server.emit('request', request, response);
    });
  }

  readonly refuseUnreadable = (error: NodeJS.ErrnoException, socket: unknown): void => {
    answerUnreadable(error, socket as Socket, {
      isExempt: (one) => this.streaming.has(one),
      errorsAt: (request) => this.routes.errorsAt(request),
    });
  };

  /**
   * Returns why this request is refused on any route: 400 without `Host`, 417 for an unsupported
   * `Expect`.
   */
  refusalOf({ raw }: FastifyRequest): ApiError | undefined {
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') return missingHost();
    return raw.headers.expect !== undefined && this.unmet.has(raw) ? expectationFailed() : undefined;
  }
}

/** Listens on the ports of the private parts. @returns when all of them listen */
export async function listenPrivately(fastify: FastifyInstance, host: string): Promise<void> {
  await fastify.listeners.listen(fastify, host, () => fastify.serverRules.create(fastify));
}
