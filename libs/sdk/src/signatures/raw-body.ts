/** The raw body of a request, which signatures cover. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const HOW = [
  'Express: express.raw({ type: "application/json" }) on this route, and request.body',
  'Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body)), and request.body',
  'Hono, Next.js and others with web requests: await request.arrayBuffer()',
  'node:http: await rawBodyOf(request)',
].join('; ');

/** @throws TypeError for a parsed body, which cannot be converted back to the signed bytes */
export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  const kind = body === undefined ? 'is missing' : 'has been parsed';
  throw new TypeError(`the raw body ${kind}: a signature covers the raw bytes. ${HOW}`);
}

/** A web `Request`, or a request of node:http or a framework based on it. */
export interface RequestWithBody {
  readonly body?: unknown;
  readonly rawBody?: unknown;
  arrayBuffer?(): Promise<ArrayBuffer>;
  [Symbol.asyncIterator]?(): AsyncIterator<unknown>;
}

/**
 * Reads the raw body of a request, or uses the bytes that the server has stored (`rawBody`, or a
 * `body` of bytes).
 * @param limit in bytes. Default: 1 MiB, more than Tieline sends.
 * @throws TypeError when the body has already been parsed or read.
 * @throws RangeError when it exceeds the limit.
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
  const source = request.arrayBuffer ? partsOf(request.body) : (request as AsyncIterable<Uint8Array>);
  if (!request.arrayBuffer && !request[Symbol.asyncIterator]) return bytesOf(request.body as RawBody);
  // A web request without a stream can be measured only after it has been read.
  if (!source) return new Uint8Array((await request.arrayBuffer?.()) ?? new ArrayBuffer(0));
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of source) {
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

/** Iterates over a web stream. Undefined if it is none. Stopping early cancels the stream. */
function partsOf(body: unknown): AsyncIterable<Uint8Array> | undefined {
  if (typeof (body as ReadableStream | undefined)?.getReader !== 'function') return undefined;
  return read(body as ReadableStream<Uint8Array>);
}

async function* read(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isWhole = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isWhole) await reader.cancel();
  }
}

function tooLarge(limit: number): RangeError {
  return new RangeError(`the body is over ${limit} bytes`);
}
