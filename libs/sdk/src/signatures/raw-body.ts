/** The body of a request as it travelled: what is signed. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const HOW = [
  'Express: express.raw({ type: "application/json" }) on this route, and request.body',
  'Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body)), and request.body',
  'Hono, Next.js and others with web requests: await request.arrayBuffer()',
  'node:http: await rawBodyOf(request)',
].join('; ');

/** @throws TypeError for a body that was parsed, which can't be turned back into the bytes that were signed */
export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  const kind = body === undefined ? 'is missing' : 'has been parsed';
  throw new TypeError(`the raw body ${kind}: a signature covers the bytes as they came. ${HOW}`);
}

/** A web `Request`, or a request of node:http or of what is built upon it. */
export interface RequestWithBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  arrayBuffer?(): Promise<ArrayBuffer>;
  [Symbol.asyncIterator]?(): AsyncIterator<unknown>;
}

/**
 * Reads the raw body of a request, whatever server it comes from, or takes what the server has kept of it (`rawBody`, or a `body` of bytes).
 * @param limit in bytes. Default: 1 MiB, more than Tieline sends
 * @throws TypeError when somebody has parsed or read it before; RangeError when it is over the limit
 */
export async function rawBodyOf(request: RequestWithBody, limit = 1_048_576): Promise<Uint8Array> {
  const kept = [request.rawBody, request.body].find(
    (each) => typeof each === 'string' || each instanceof Uint8Array,
  );
  const bytes = kept === undefined ? await readAll(request, limit) : bytesOf(kept as RawBody);
  if (bytes.length > limit) throw tooLarge(limit);
  return bytes;
}

async function readAll(request: RequestWithBody, limit: number): Promise<Uint8Array> {
  const { bodyUsed, readableEnded } = request as { bodyUsed?: boolean; readableEnded?: boolean };
  if (bodyUsed || readableEnded) return bytesOf((request.body ?? {}) as RawBody);
  if (request.arrayBuffer) return new Uint8Array(await request.arrayBuffer());
  if (!request[Symbol.asyncIterator]) return bytesOf(request.body as RawBody);
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > limit) throw tooLarge(limit);
    parts.push(part);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function tooLarge(limit: number): RangeError {
  return new RangeError(`the body is over ${limit} bytes`);
}
