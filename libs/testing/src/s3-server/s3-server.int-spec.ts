import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { startS3Server, type S3Server } from './s3-server.js';
import { S3Error, verifySignature } from './s3-server-signature.js';

// Worked examples from the specification of Signature Version 4 for Amazon S3, with its keys, dates
// and signatures.
const EXAMPLE = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
};
const AT = Date.UTC(2013, 4, 24);
const EMPTY = createHash('sha256').update('').digest('hex');
const CREDENTIAL = `${EXAMPLE.accessKeyId}/20130524/us-east-1/s3/aws4_request`;
const byHeader = {
  host: 'examplebucket.s3.amazonaws.com',
  range: 'bytes=0-9',
  'x-amz-content-sha256': EMPTY,
  'x-amz-date': '20130524T000000Z',
  authorization: `AWS4-HMAC-SHA256 Credential=${CREDENTIAL}, SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41`,
};
const PRESIGNED = `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(CREDENTIAL)}&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`;

function verdict(
  method: string,
  path: string,
  headers: Record<string, string>,
  nowMs = AT,
  known = EXAMPLE,
): string {
  try {
    return verifySignature(
      { method, headers } as unknown as IncomingMessage,
      new URL(path, 'http://x'),
      known,
      nowMs,
    );
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
}

describe('the signature of a request in its headers', () => {
  it('is verified as in the specification', () => {
    expect(verdict('GET', '/test.txt', byHeader)).toBe(EMPTY);
  });

  it.each([
    ['another method', 'PUT', '/test.txt', {}],
    ['another path', 'GET', '/test2.txt', {}],
    ['another query', 'GET', '/test.txt?a=b', {}],
    ['another value of a signed header', 'GET', '/test.txt', { range: 'bytes=0-10' }],
    ['another payload hash', 'GET', '/test.txt', { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }],
    ['another host', 'GET', '/test.txt', { host: 'other.s3.amazonaws.com' }],
  ])('does not fit %s', (_, method, path, headers) => {
    expect(verdict(method, path, { ...byHeader, ...headers })).toBe('SignatureDoesNotMatch');
  });

  it('needs a known key, a current date and the right region, and must cover every x-amz header', () => {
    expect(verdict('GET', '/test.txt', byHeader, AT, { ...EXAMPLE, accessKeyId: 'other' })).toBe(
      'InvalidAccessKeyId',
    );
    expect(verdict('GET', '/test.txt', byHeader, AT, { ...EXAMPLE, secretAccessKey: 'other' })).toBe(
      'SignatureDoesNotMatch',
    );
    expect(verdict('GET', '/test.txt', byHeader, AT, { ...EXAMPLE, region: 'eu-west-1' })).toBe(
      'AuthorizationHeaderMalformed',
    );
    expect(verdict('GET', '/test.txt', byHeader, AT + 16 * 60_000)).toBe('RequestTimeTooSkewed');
    expect(verdict('GET', '/test.txt', byHeader, AT - 16 * 60_000)).toBe('RequestTimeTooSkewed');
    expect(verdict('GET', '/test.txt', { ...byHeader, 'x-amz-acl': 'public-read' })).toBe('AccessDenied');
    expect(verdict('GET', '/test.txt', { host: byHeader.host })).toBe('AccessDenied');
  });
});

describe('a presigned link', () => {
  const headers = { host: byHeader.host };

  it('is verified as in the specification, until it expires', () => {
    expect(verdict('GET', PRESIGNED, headers)).toBe('UNSIGNED-PAYLOAD');
    expect(verdict('GET', PRESIGNED, headers, AT + 86_400_000)).toBe('UNSIGNED-PAYLOAD');
    expect(verdict('GET', PRESIGNED, headers, AT + 86_400_001)).toBe('AccessDenied');
  });

  it.each([
    ['X-Amz-Expires=86400', 'X-Amz-Expires=86401', 'SignatureDoesNotMatch'],
    ['X-Amz-Expires=86400', 'X-Amz-Expires=604801', 'AuthorizationQueryParametersError'],
    ['X-Amz-Date=20130524T000000Z', 'X-Amz-Date=20130524T000001Z', 'SignatureDoesNotMatch'],
    ['X-Amz-SignedHeaders=host', 'X-Amz-SignedHeaders=', 'AccessDenied'],
    ['test.txt', 'other.txt', 'SignatureDoesNotMatch'],
    ['&X-Amz-Date', '&response-content-type=text%2Fhtml&X-Amz-Date', 'SignatureDoesNotMatch'],
    ['X-Amz-Signature=a', 'X-Amz-Signature=b', 'SignatureDoesNotMatch'],
    ['X-Amz-Algorithm=AWS4-HMAC-SHA256', 'X-Amz-Algorithm=none', 'AuthorizationQueryParametersError'],
  ])('with %s made %s is refused', (from, to, code) => {
    expect(verdict('GET', PRESIGNED.replace(from, to), headers)).toBe(code);
  });
});

describe('the store', () => {
  let server: S3Server;
  let client: S3Client;
  const clientOf = (secretAccessKey: string): S3Client =>
    new S3Client({
      endpoint: server.endpoint,
      region: server.region,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { accessKeyId: server.accessKeyId, secretAccessKey },
    });
  beforeEach(async () => {
    server = await startS3Server();
    client = clientOf(server.secretAccessKey);
  });
  afterEach(async () => {
    client.destroy();
    await server.stop();
  });
  const object = { Bucket: 'tieline-test', Key: 'a/b c+ü' };

  it('serves a stock client', async () => {
    await client.send(new PutObjectCommand({ ...object, Body: 'hello', ContentType: 'text/plain' }));
    expect(await client.send(new HeadObjectCommand(object))).toMatchObject({
      ContentLength: 5,
      ContentType: 'text/plain',
    });
    const part = await client.send(new GetObjectCommand({ ...object, Range: 'bytes=1-2' }));
    expect([part.ContentRange, await part.Body?.transformToString()]).toEqual(['bytes 1-2/5', 'el']);
    await client.send(new DeleteObjectCommand(object));
    await expect(client.send(new GetObjectCommand(object))).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(server.objects.size).toBe(0);
  });

  it('refuses missing keys, wrong keys and bodies that differ from the signed one', async () => {
    expect((await fetch(`${server.endpoint}/tieline-test/a`)).status).toBe(403);
    await expect(
      clientOf('wrong').send(new PutObjectCommand({ ...object, Body: 'x' })),
    ).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    const forged = clientOf(server.secretAccessKey);
    forged.middlewareStack.add(
      (next) => (args) =>
        next({ ...args, request: Object.assign(args.request as object, { body: 'other' }) }),
      { step: 'finalizeRequest', priority: 'low' },
    );
    await expect(forged.send(new PutObjectCommand({ ...object, Body: 'hello' }))).rejects.toMatchObject({
      name: 'XAmzContentSHA256Mismatch',
    });
    expect(server.objects.size).toBe(0);
    expect(server.refusals).toEqual(['AccessDenied', 'SignatureDoesNotMatch', 'XAmzContentSHA256Mismatch']);
  });

  it('overrides response headers of a signed link and uses its own clock', async () => {
    await client.send(new PutObjectCommand({ ...object, Body: 'hello' }));
    const url = await getSignedUrl(
      client,
      new GetObjectCommand({ ...object, ResponseContentType: 'text/x' }),
      { expiresIn: 60 },
    );
    expect((await fetch(url)).headers.get('content-type')).toBe('text/x');
    server.now = () => Date.now() + 62_000;
    expect((await fetch(url)).status).toBe(403);
  });

  it('keeps its objects across a stop and start', async () => {
    await client.send(new PutObjectCommand({ ...object, Body: 'hello' }));
    const { endpoint } = server;
    await server.stop();
    await expect(fetch(endpoint)).rejects.toThrow();
    await server.start();
    expect(server.endpoint).toBe(endpoint);
    const another = clientOf(server.secretAccessKey);
    expect(await another.send(new HeadObjectCommand(object))).toMatchObject({ ContentLength: 5 });
    another.destroy();
  });

  it('can pause all requests', async () => {
    server.pause();
    let answered = false;
    const waiting = fetch(`${server.endpoint}/tieline-test/a`).then(
      ({ status }) => ((answered = true), status),
    );
    await expect(
      fetch(`${server.endpoint}/tieline-test/b`, { signal: AbortSignal.timeout(200) }),
    ).rejects.toThrow();
    expect(answered).toBe(false);
    server.resume();
    expect(await waiting).toBe(403);
  });
});
