import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, internalError, notFound, tooLarge, Unavailable, unavailable } from './api-error.js';
import { errorBody } from './error-shape.js';
import type { RouteErrors } from './error-shape.js';

/**
 * Postgres and network failures that pass: the caller should try again (503), not read of a fault
 * of ours (500).
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
  // A lock that others wanted for too long, a statement that took too long, a transaction that
  // stood still or was the victim again.
  '55P03',
  '57014',
  '25P03',
  '40001',
  '40P01',
  // A turn in front of the pool that did not come.
  'turn_missed',
]);
/** The driver's own words for a lost or unobtainable connection, which come without a code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout)/;

/** What the framework refuses by itself, where a code says more than `bad_request`. */
const REFUSALS: ReadonlyMap<number, ApiError> = new Map([
  [404, notFound()],
  [406, new ApiError(406, 'not_acceptable', 'bad request')],
  [408, new ApiError(408, 'request_timeout', 'bad request')],
  [414, new ApiError(414, 'uri_too_long', 'bad request')],
  [415, new ApiError(415, 'unsupported_media_type', 'bad request')],
]);

/**
 * The one place where an exception becomes an answer. A 500 never carries internals: they go to the
 * log.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), error);
  }
}

/** The request found no connection in time, because of others that came before it. */
const NO_TURN = /^(no turn within|timeout exceeded when trying to connect)/;

/**
 * What we answer on purpose, because somebody else is away or does not answer, is no fault of ours
 * and has no stack worth reading.
 */
function logFailure(request: FastifyRequest, error: unknown): void {
  // A client that goes away in the middle of its body is nobody's fault.
  if (request.raw.destroyed && !request.raw.complete) {
    request.log.debug({ request_id: request.id }, 'client left before the end of its body');
    return;
  }
  const isMeant = error instanceof ApiError && error.cause === undefined;
  if (error instanceof Error && (isMeant || NO_TURN.test(error.message)))
    request.log.warn({ request_id: request.id, reason: error.message }, 'request not served');
  else request.log.error({ err: error, request_id: request.id }, 'request failed');
}

/**
 * Answers a request with an error in the shape of its route, or in that of `errors` where no route
 * serves it.
 */
export function sendError(
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  errors: RouteErrors | undefined = request.routeOptions.config.errors,
): void {
  const { status, text: ownText, headers, code, field, errors: parts } = toApiError(error);
  const text = status === 500 ? (errors?.internal ?? ownText) : ownText;
  if (status >= 500) logFailure(request, error);
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  void reply
    .status(status)
    .headers(headers)
    .send(errorBody(errors?.shape ?? 'standard', { text, code, field, parts }));
}

/** What an exception means to the caller: 503 for stores that are away, 500 for a fault of ours. */
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
