import type { Socket } from 'node:net';
import { requestId } from '../request-id.js';

const STATUSES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
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
  answerAndCut(socket, STATUSES[error.code ?? ''] ?? '400 Bad Request', error);
}

/** Writes an answer past the HTTP server, such as `408 Request Timeout`, and ends the connection. */
export function answerAndCut(socket: Socket, status: string, error?: Error): void {
  if (socket.writable) {
    const body = JSON.stringify({ ok: false, error: status.slice('400 '.length).toLowerCase() });
    const headers = [
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${body.length}`,
      `X-Request-Id: ${requestId({ headers: {} })}`,
      'Connection: close',
    ];
    socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  }
  socket.destroy(error);
}
