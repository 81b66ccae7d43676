import type { IncomingMessage } from 'node:http';

/** Maximum size of a body in bytes. */
export const MAX_BODY_BYTES = 262_144;
/** Maximum time to receive a body. */
const TIMEOUT_MS = 30_000;
/**
 * How long the rest of a rejected body is read and discarded, so that the sender can read the
 * response.
 */
const DISCARD_MS = 2_000;

/** The bytes of a request. With a fault, those received before it. */
export interface SentBody {
  bytes: Buffer;
  fault?: 'too large' | 'incomplete';
}

/** Reads a body up to the limit, with or without a `Content-Length`. Never rejects. */
export async function readBody(request: IncomingMessage, timeoutMs = TIMEOUT_MS): Promise<SentBody> {
  const announced = Number(request.headers['content-length'] ?? 0);
  const body: SentBody =
    announced > MAX_BODY_BYTES
      ? { bytes: Buffer.alloc(0), fault: 'too large' }
      : await collect(request, timeoutMs);
  if (body.fault) discardRest(request);
  return body;
}

function collect(request: IncomingMessage, timeoutMs: number): Promise<SentBody> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (fault?: SentBody['fault']): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', whole).off('error', broken).off('close', broken);
      resolve({ bytes: Buffer.concat(chunks), ...(fault && { fault }) });
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_BODY_BYTES) end('too large');
    };
    const whole = (): void => end();
    const broken = (): void => end('incomplete');
    const timer = setTimeout(broken, timeoutMs);
    if (request.destroyed && !request.complete) broken();
    else request.on('data', take).on('end', whole).on('error', broken).on('close', broken);
  });
}

function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.on('error', () => undefined).resume();
  setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, DISCARD_MS).unref();
}
