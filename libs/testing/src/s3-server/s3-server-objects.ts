import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { S3Error, sha256 } from './s3-server-signature.js';

/** A stored object. */
export interface S3Object {
  readonly content: Buffer;
  readonly contentType: string;
  readonly etag: string;
}

/** Query parameters of a signed GET that override a response header. */
const OVERRIDES = [
  'content-type',
  'content-disposition',
  'cache-control',
  'content-language',
  'expires',
  'content-encoding',
];

/** Handles a verified request for one object of the bucket. @throws S3Error */
export async function answerObject(
  objects: Map<string, S3Object>,
  key: string,
  payloadHash: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  switch (request.method) {
    case 'PUT':
      return put(objects, key, payloadHash, request, response);
    case 'GET':
    case 'HEAD':
      return get(objects, key, request, response, url);
    case 'DELETE':
      objects.delete(key);
      response.writeHead(204).end();
      return;
    default:
      throw new S3Error(405, 'MethodNotAllowed');
  }
}

async function put(
  objects: Map<string, S3Object>,
  key: string,
  payloadHash: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const {
    'if-none-match': condition,
    'content-length': length,
    'content-type': contentType = 'binary/octet-stream',
  } = request.headers;
  if (length === undefined) throw new S3Error(411, 'MissingContentLength');
  if (condition !== undefined && condition !== '*') throw new S3Error(501, 'NotImplemented');
  const content = await buffer(request);
  if (payloadHash.startsWith('STREAMING-')) throw new S3Error(501, 'NotImplemented');
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(content))
    throw new S3Error(400, 'XAmzContentSHA256Mismatch');
  // Checked after the whole body arrived, so that the second of two concurrent uploads is refused.
  if (condition === '*' && objects.has(key)) throw new S3Error(412, 'PreconditionFailed');
  const etag = `"${createHash('md5').update(content).digest('hex')}"`;
  objects.set(key, { content, contentType, etag });
  response.writeHead(200, { etag, 'content-length': 0 }).end();
}

async function get(
  objects: Map<string, S3Object>,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const object = objects.get(key);
  if (!object) throw new S3Error(404, 'NoSuchKey');
  const headers: Record<string, string> = {
    'content-type': object.contentType,
    etag: object.etag,
    'accept-ranges': 'bytes',
  };
  for (const name of OVERRIDES) {
    const value = url.searchParams.get(`response-${name}`);
    if (value !== null) headers[name] = value;
  }
  const { content } = object;
  const [start, end] = extentOf(request.headers.range, content.length);
  const whole = request.headers.range === undefined;
  if (!whole) headers['content-range'] = `bytes ${start}-${end}/${content.length}`;
  headers['content-length'] = String(end - start + 1);
  response.writeHead(whole ? 200 : 206, headers);
  response.end(request.method === 'HEAD' ? undefined : content.subarray(start, end + 1));
}

function extentOf(range: string | undefined, size: number): [number, number] {
  if (range === undefined) return [0, size - 1];
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start >= size || end < start) throw new S3Error(416, 'InvalidRange');
  return [start, end];
}
