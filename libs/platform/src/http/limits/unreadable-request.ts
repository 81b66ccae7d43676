import type { Socket } from 'node:net';
import { ApiError } from '../api-error.js';
import { errorBody } from '../error-shape.js';
import { requestId } from '../request-id.js';

/** 408 for a request that takes too long to arrive. */
export const requestTimeout = (): ApiError => new ApiError(408, 'request_timeout', 'request timeout');
const TOO_LONG = new ApiError(431, 'headers_too_large', 'request header fields too large');
const UNREADABLE = new ApiError(400, 'bad_request', 'bad request');
const ERRORS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_HEADER_OVERFLOW: TOO_LONG,
};

/**
 * Answers bytes that Node can't read as an HTTP request, and ends the connection: 431 for headers over the limit, 408 for a
 * request that takes too long to arrive, else 400. It has no path, so its body is that of every error, and a fresh `X-Request-Id`
 * (decisions, section 1).
 * @param isExempt whether this connection is one whose request may take as long as it does
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  isExempt: (socket: Socket) => boolean,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExempt(socket)) return;
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  answerAndCut(socket, ERRORS[error.code ?? ''] ?? UNREADABLE, error);
}

/** Writes an answer past the HTTP server, and ends the connection. */
export function answerAndCut(socket: Socket, answer: ApiError, error?: Error): void {
  if (socket.writable) {
    const { status, text, code, headers: more } = answer;
    const body = JSON.stringify(errorBody('standard', { text, code }));
    const headers = [
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${requestId({ headers: {} })}`,
      'Connection: close',
      ...Object.entries(more).map(([name, value]) => `${name}: ${value}`),
    ];
    socket.write(`HTTP/1.1 ${status} ${text}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}
