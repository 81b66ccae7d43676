import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, internalError, notFound, tooLarge, Unavailable, unavailable } from './api-error.js';
import { errorBody } from './error-shape.js';
import type { RouteErrors } from './error-shape.js';
import { countRefusal } from './callers/write-charges.js';

/**
 * Transient failures of Postgres and the network: answered with 503 instead of 500, so that the
 * caller retries.
 */
const PASSING = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
  '08001',
  '08003',
  '08007',
  // Lock timeout, statement timeout, idle transaction, repeated deadlock.
  '55P03',
  '57014',
  '25P03',
  '40001',
  '40P01',
  // No turn in front of the pool.
  'turn_missed',
]);
/** Messages of the driver for a lost or unavailable connection, which have no code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** Refusals of the framework, for statuses whose code is more specific than `bad_request`. */
const REFUSALS: ReadonlyMap<number, ApiError> = new Map([
  [404, notFound()],
  [406, new ApiError(406, 'not_acceptable', 'bad request')],
  [408, new ApiError(408, 'request_timeout', 'bad request')],
  [414, new ApiError(414, 'uri_too_long', 'bad request')],
  [415, new ApiError(415, 'unsupported_media_type', 'bad request')],
]);

/** Turns exceptions into answers. A 500 never contains internals: they go to the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const send = (answer: unknown): void => sendError(request, reply, answer);
    const counting = countRefusal(request, error);
    if (counting) void counting.then(send, send);
    else send(error);
  }
}

/** The request got no connection in time because of earlier ones. */
const NO_TURN = /^(no turn within|timeout exceeded when trying to connect)/;

/**
 * Deliberate answers about unavailable or silent dependencies are not internal errors and have no
 * useful stack.
 */
function logFailure(request: FastifyRequest, error: unknown): void {
  // A client that leaves in the middle of its body is not an error.
  if (request.raw.destroyed && !request.raw.complete) {
    request.log.debug({ request_id: request.id }, 'client left before the end of its body');
    return;
  }
  const isMeant = error instanceof ApiError && error.cause === undefined;
  if (error instanceof Error && (isMeant || NO_TURN.test(error.message)))
    request.log.warn({ request_id: request.id, reason: error.message }, 'request not served');
  else request.log.error({ err: error, request_id: request.id }, 'request failed');
}

/** Statuses of rates, and of paths and methods that no route serves. */
const OWN_STATUSES: ReadonlySet<number> = new Set([404, 405, 429]);

/**
 * Answers a request with an error in the shape of its route, or of `errors` if no route serves it.
 */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  errors: RouteErrors | undefined = request.routeOptions.config.errors,
): void {
  const { status, text: ownText, headers, code, field, errors: parts, object, scopes } = toApiError(error);
  const text = status === 500 ? (errors?.internal ?? ownText) : ownText;
  if (status >= 500) logFailure(request, error);
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  void reply
    .status(OWN_STATUSES.has(status) ? status : (errors?.status ?? status))
    .headers(headers)
    .send(errorBody(errors?.shape ?? 'standard', { text, code, field, parts, object, scopes }));
}

/** Maps an exception to the caller's error: 503 for unavailable stores, 500 for internal errors. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return tooLarge();
  if (code !== undefined && PASSING.has(code)) return unavailable();
  if (error instanceof Error && LOST_CONNECTION.test(error.message)) return unavailable();
  if (error instanceof Unavailable) return unavailable();
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status >= 400 && status < 500)
    return REFUSALS.get(status) ?? new ApiError(status, 'bad_request', 'bad request');
  if (status === 503) return unavailable();
  return internalError();
}
