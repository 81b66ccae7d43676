import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { freePort } from '../../../../tools/free-port.mjs';
import { answerObject, type S3Object } from './s3-server-objects.js';
import { S3Error, verifySignature } from './s3-server-signature.js';

const BUCKET = 'tieline-test';
const REGION = 'eu-test-1';

/**
 * An S3 server (path style, one bucket, in memory) that verifies signatures, so that a test against
 * it proves what a real one would accept. Supports PUT with `If-None-Match: *`, GET with ranges and
 * `response-*`, HEAD and DELETE.
 */
export class S3Server {
  readonly bucket = BUCKET;
  readonly region = REGION;
  readonly accessKeyId = `AK${randomBytes(8).toString('hex').toUpperCase()}`;
  readonly secretAccessKey = randomBytes(30).toString('base64');
  /** Stored objects by key. */
  readonly objects = new Map<string, S3Object>();
  /** Codes of all error responses so far, oldest first. */
  readonly refusals: string[] = [];
  /** The store's clock, in milliseconds. */
  now: () => number = Date.now;
  private server: Server | undefined;
  private port = 0;
  private waiting: (() => void)[] | undefined;

  /** Its address, also while it is stopped. */
  get endpoint(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Settings for a process that uses this store. */
  get environment(): Record<string, string> {
    return {
      STORAGE_DRIVER: 's3',
      S3_ENDPOINT: this.endpoint,
      S3_REGION: this.region,
      S3_BUCKET: this.bucket,
      S3_FORCE_PATH_STYLE: 'true',
      S3_ACCESS_KEY_ID: this.accessKeyId,
      S3_SECRET_ACCESS_KEY: this.secretAccessKey,
    };
  }

  /** Starts listening. After {@link stop} it uses the same port again. */
  async start(): Promise<void> {
    this.port ||= await freePort();
    const server = createServer((request, response) => void this.answer(request, response));
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(this.port, '127.0.0.1', resolve),
    );
    this.server = server;
  }

  /** Simulates an outage: open connections are cut and new ones refused. Stored objects stay. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    this.resume();
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  }

  /** Accepts requests without responding until {@link resume}. */
  pause(): void {
    this.waiting ??= [];
  }

  /** Responds to waiting requests and to all later ones. */
  resume(): void {
    const waiting = this.waiting ?? [];
    this.waiting = undefined;
    for (const go of waiting) go();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { waiting } = this;
    if (waiting) await new Promise<void>((resolve) => waiting.push(resolve));
    // A client that disconnected while waiting gets no response.
    if (request.socket.destroyed) return;
    request.on('error', () => undefined);
    try {
      const url = new URL(request.url ?? '', this.endpoint);
      const payloadHash = verifySignature(request, url, this, this.now());
      const [, bucket, ...key] = decodeURIComponent(url.pathname).split('/');
      if (bucket !== this.bucket) throw new S3Error(404, 'NoSuchBucket');
      await answerObject(this.objects, key.join('/'), payloadHash, request, response, url);
    } catch (error) {
      this.refuse(request, response, error);
    }
  }

  private refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    const { status, code } = error instanceof S3Error ? error : new S3Error(500, 'InternalError');
    this.refusals.push(code);
    request.resume();
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(
      request.method === 'HEAD'
        ? undefined
        : `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`,
    );
  }
}

/** Starts a store with new credentials on a free port. Stop it at the end. */
export async function startS3Server(): Promise<S3Server> {
  const server = new S3Server();
  await server.start();
  return server;
}
