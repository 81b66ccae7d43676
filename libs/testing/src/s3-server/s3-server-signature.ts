import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** An error response with the code that S3 uses. */
export class S3Error extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

/** Credentials that the store accepts. */
export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The signature of a request, from its headers or its query. */
interface SignatureClaim {
  credential: string;
  signedHeaders: string[];
  signature: string;
  date: string;
  payloadHash: string;
  /** Lifetime of a presigned link in seconds. */
  expires?: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const MAX_SKEW_MS = 15 * 60 * 1000;
const MAX_EXPIRES_S = 604_800;

/**
 * Verifies the AWS Signature Version 4 of a request, in the Authorization header or presigned in
 * the query. Checks everything S3 does: key, region, signed host and `x-amz-*` headers, date and
 * expiry.
 * @returns the signed payload hash to compare with the body, or `UNSIGNED-PAYLOAD`
 * @throws S3Error
 */
export function verifySignature(
  request: IncomingMessage,
  url: URL,
  known: S3Credentials,
  nowMs: number,
): string {
  const claimed = url.searchParams.has('X-Amz-Signature') ? ofQuery(url) : ofHeaders(request);
  const [accessKeyId, day, region, service, terminator, ...rest] = claimed.credential.split('/');
  if (accessKeyId !== known.accessKeyId) throw new S3Error(403, 'InvalidAccessKeyId');
  if (region !== known.region || service !== 's3' || terminator !== 'aws4_request' || rest.length > 0)
    throw new S3Error(400, 'AuthorizationHeaderMalformed');
  if (day !== claimed.date.slice(0, 8)) throw new S3Error(400, 'AuthorizationHeaderMalformed');
  checkTime(claimed, nowMs);
  const mustBeSigned = Object.keys(request.headers).filter(
    (name) => name === 'host' || name.startsWith('x-amz-'),
  );
  if (mustBeSigned.some((name) => !claimed.signedHeaders.includes(name)))
    throw new S3Error(403, 'AccessDenied');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = [ALGORITHM, claimed.date, scope, sha256(canonicalRequest(request, url, claimed))].join('\n');
  const expected = hmac(scope.split('/').reduce(hmac, Buffer.from(`AWS4${known.secretAccessKey}`)), text);
  const given = Buffer.from(claimed.signature);
  const wanted = Buffer.from(expected.toString('hex'));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw new S3Error(403, 'SignatureDoesNotMatch');
  return claimed.payloadHash;
}

function ofQuery({ searchParams }: URL): SignatureClaim {
  const one = (name: string): string => {
    const [value, ...more] = searchParams.getAll(name);
    if (value === undefined || more.length > 0) throw new S3Error(400, 'AuthorizationQueryParametersError');
    return value;
  };
  if (one('X-Amz-Algorithm') !== ALGORITHM) throw new S3Error(400, 'AuthorizationQueryParametersError');
  const expires = Number(one('X-Amz-Expires'));
  if (!(expires >= 1 && expires <= MAX_EXPIRES_S))
    throw new S3Error(400, 'AuthorizationQueryParametersError');
  return {
    credential: one('X-Amz-Credential'),
    signedHeaders: one('X-Amz-SignedHeaders').split(';'),
    signature: one('X-Amz-Signature'),
    date: one('X-Amz-Date'),
    payloadHash: searchParams.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD',
    expires,
  };
}

function ofHeaders({ headers }: IncomingMessage): SignatureClaim {
  const authorization = headers.authorization ?? '';
  const parts = new RegExp(
    `^${ALGORITHM} Credential=([^, ]+), ?SignedHeaders=([^, ]+), ?Signature=([0-9a-f]{64})$`,
  ).exec(authorization);
  if (!parts) throw new S3Error(403, 'AccessDenied');
  const [, credential = '', signedHeaders = '', signature = ''] = parts;
  const date = headers['x-amz-date'];
  const payloadHash = headers['x-amz-content-sha256'];
  if (typeof date !== 'string' || typeof payloadHash !== 'string') throw new S3Error(400, 'InvalidRequest');
  return { credential, signedHeaders: signedHeaders.split(';'), signature, date, payloadHash };
}

function checkTime({ date, expires }: SignatureClaim, nowMs: number): void {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? [];
  const [year = NaN, month = NaN, ...rest] = parts.map(Number);
  const signedAt = Date.UTC(year, month - 1, ...rest);
  if (!Number.isFinite(signedAt)) throw new S3Error(403, 'AccessDenied');
  if (signedAt - nowMs > MAX_SKEW_MS) throw new S3Error(403, 'RequestTimeTooSkewed');
  if (expires === undefined && nowMs - signedAt > MAX_SKEW_MS) throw new S3Error(403, 'RequestTimeTooSkewed');
  if (expires !== undefined && nowMs > signedAt + expires * 1000) throw new S3Error(403, 'AccessDenied');
}

function canonicalRequest(
  request: IncomingMessage,
  url: URL,
  { signedHeaders, payloadHash }: SignatureClaim,
): string {
  const path = url.pathname
    .split('/')
    .map((segment) => encode(decodeURIComponent(segment)))
    .join('/');
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]): [string, string] => [encode(name), encode(value)])
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map((pair) => pair.join('='));
  const headers = [...signedHeaders].sort(compare).map((name) => `${name}:${valueOf(request, name)}\n`);
  return [
    request.method,
    path,
    query.join('&'),
    headers.join(''),
    [...signedHeaders].sort(compare).join(';'),
    payloadHash,
  ].join('\n');
}

function valueOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  if (value === undefined) throw new S3Error(403, 'SignatureDoesNotMatch');
  return [value]
    .flat()
    .map((one) => one.trim().replace(/ +/g, ' '))
    .join(',');
}

/** Percent-encodes every byte except the unreserved characters of RFC 3986. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Sorts by code points, independent of the locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
/** Returns SHA-256 as lower-case hexadecimal. */
export const sha256 = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');
