import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, tooLarge, unavailable } from './api-error.js';

/** How the body of an error looks on a family of paths. */
export type ErrorShape = (text: string, status: number) => Record<string, unknown>;

const DEFAULT_SHAPE: ErrorShape = (text) => ({ ok: false, error: text });
/** Decisions, section 1: the two families with a shape of their own. */
const SHAPES: readonly { prefix: string; shape: ErrorShape; endsInToken?: true }[] = [
  { prefix: '/api/v1/bot/files', shape: (text) => ({ error: text }) },
  {
    prefix: '/api/v1/webhooks/incoming',
    shape: () => ({ ok: false, error: 'request rejected' }),
    endsInToken: true,
  },
  { prefix: '/hooks/', shape: () => ({ ok: false, error: 'request rejected' }), endsInToken: true },
  { prefix: '/services/', shape: () => ({ ok: false, error: 'request rejected' }), endsInToken: true },
];

/** Postgres and network failures that pass: the caller should try again (503), not read of a fault of ours (500). */
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
]);
/** The driver's own words for a lost or unobtainable connection, which come without a code. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/;

/** The one place where an exception becomes an answer. A 500 never carries internals: they go to the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendError(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>(), error);
  }
}

/** What we answer on purpose, because somebody else is away or does not answer, is no fault of ours and has no stack worth reading. */
function logFailure(request: FastifyRequest, error: unknown): void {
  if (error instanceof ApiError && error.cause === undefined)
    request.log.warn({ request_id: request.id, reason: error.message }, 'request not served');
  else request.log.error({ err: error, request_id: request.id }, 'request failed');
}

/** Answers a request with an error in the shape of its path. */
export function sendError(request: FastifyRequest, reply: FastifyReply, error: unknown): void {
  const answer = toApiError(error);
  if (answer.status >= 500) logFailure(request, error);
  if (reply.sent || reply.raw.headersSent) {
    reply.raw.destroy();
    return;
  }
  const path = request.url.split('?', 1)[0] ?? '';
  const { shape, endsInToken } = SHAPES.find(({ prefix }) => path.startsWith(prefix)) ?? {
    shape: DEFAULT_SHAPE,
  };
  // What cannot be decoded is no token that anybody has (decisions, section 9).
  const status = endsInToken && (error as { code?: string }).code === 'FST_ERR_BAD_URL' ? 401 : answer.status;
  void reply.status(status).headers(answer.headers).send(shape(answer.text, status));
}

/** What an exception means to the caller: 503 for stores that are away, 500 for a fault of ours. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' || statusCode === 413) return tooLarge();
  if (code !== undefined && PASSING.has(code)) return unavailable();
  if (error instanceof Error && LOST_CONNECTION.test(error.message)) return unavailable();
  if (error instanceof Error && error.name === 'RateLimiterUnavailable') return unavailable();
  const status = error instanceof HttpException ? error.getStatus() : (statusCode ?? 500);
  if (status >= 400 && status < 500)
    return new ApiError(status, status === 404 ? 'not found' : 'bad request');
  if (status === 503) return unavailable();
  return new ApiError(500, 'internal error');
}
