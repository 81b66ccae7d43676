import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../api-error.js';
import { errorBody } from '../error-shape.js';
import type { RouteErrors } from '../error-shape.js';
import { requestId } from '../request-id.js';
import { DEFAULT_HEADERS, JSON_HEADERS } from '../response-headers.js';

/** 408 for a request that takes too long to arrive. */
export const requestTimeout = (): ApiError => new ApiError(408, 'request_timeout', 'request timeout');
const TOO_LONG = new ApiError(431, 'headers_too_large', 'request header fields too large');
const UNREADABLE = new ApiError(400, 'bad_request', 'bad request');
const ERRORS: Readonly<Record<string, ApiError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: requestTimeout(),
  HPE_HEADER_OVERFLOW: TOO_LONG,
};

/** The known parts of a request that Node could not read completely. */
type PartialRequest = Pick<IncomingMessage, 'url' | 'headers'>;

/** The application's part of {@link answerUnreadable}. */
export interface UnreadableContext {
  /** Whether the request of this connection may take this long. */
  isExempt(socket: Socket): boolean;
  errorsAt(request: Pick<IncomingMessage, 'url'>): RouteErrors | undefined;
}

/**
 * Answers bytes that Node can't parse as an HTTP request, and ends the connection: 431 for headers
 * over the limit, 408 for a request that takes too long to arrive, else 400. Body and
 * `X-Request-Id` follow the address and headers, as far as they have arrived.
 */
export function answerUnreadable(
  error: NodeJS.ErrnoException & { rawPacket?: Buffer },
  socket: Socket,
  { isExempt, errorsAt }: UnreadableContext,
): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isExempt(socket)) return;
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const response = responseOn(socket);
  // An answer is already being sent: another one would be read as part of it.
  if (response?.headersSent) return void socket.destroy(error);
  const request: PartialRequest = response?.req ?? readHead(error.rawPacket);
  answerAndCut(socket, ERRORS[error.code ?? ''] ?? UNREADABLE, {
    ...{ request, errors: errorsAt(request), cause: error },
  });
}

/** Returns the answer that Node is waiting for on this connection. */
function responseOn(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}

/** Returns address and request id of a request whose headers could not be read completely. */
function readHead(packet: Buffer | undefined): PartialRequest {
  const [head = ''] = (packet?.toString('latin1') ?? '').split('\r\n\r\n', 1);
  const url = /^[A-Z]+ (\S+) HTTP\/1\.[01]\r\n/.exec(head)?.[1];
  const id = /\r\nx-request-id:[ \t]*([^\r\n]*?)[ \t]*\r\n/i.exec(`${head}\r\n`)?.[1];
  return {
    ...(url !== undefined && { url }),
    headers: id === undefined ? {} : { 'x-request-id': id },
  };
}

/** An answer that bypasses the HTTP server. */
export interface CutAnswer {
  request?: Pick<IncomingMessage, 'headers'>;
  errors?: RouteErrors | undefined;
  cause?: Error;
}

/** Writes an answer past the HTTP server, and ends the connection. */
export function answerAndCut(
  socket: Socket,
  { status, text, code, headers: more, scopes }: ApiError,
  { request = { headers: {} }, errors, cause }: CutAnswer = {},
): void {
  if (socket.writable) {
    const body = JSON.stringify(errorBody(errors?.shape ?? 'standard', { text, code, scopes }));
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Request-Id': requestId(request),
      Connection: 'close',
      ...DEFAULT_HEADERS,
      ...JSON_HEADERS,
      ...more,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.write(`HTTP/1.1 ${status} ${text}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(cause);
}
