/** The body of a request as it travelled: what is signed. */
export type RawBody = Uint8Array | ArrayBuffer | string;

const HOW = [
  'Express: express.raw({ type: "application/json" }) on this route, and request.body',
  'Fastify: addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body)), and request.body',
  'Hono, Next.js and others with web requests: await request.arrayBuffer()',
  'node:http: await rawBodyOf(request)',
].join('; ');

/**
 * @throws TypeError for a body that was parsed, which can't be turned back into the bytes that were
 * signed
 */
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
 * Reads the raw body of a request, whatever server it comes from, or takes what the server has kept
 * of it (`rawBody`, or a `body` of bytes).
 * @param limit in bytes. Default: 1 MiB, more than Tieline sends
 * @throws TypeError when somebody has parsed or read it before; RangeError when it is over the
 * limit
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
  // Only of a web request that shows no stream: nothing of it can be counted before all of it is
  // there.
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

/**
 * The parts of a web stream as they come; undefined for what is none. Left early, the rest is not
 * read.
 */
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
