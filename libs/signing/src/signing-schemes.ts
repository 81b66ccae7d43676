import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { hashToken } from './tokens.js';

/**
 * The signature schemes of docs/signing.md and Standard Webhooks: pure functions over bytes. All of
 * them are HMAC-SHA256. Tieline's own schemes use the UTF-8 bytes of the whole secret string as
 * key, `whsec_` included; Standard Webhooks uses the decoded bytes, as its libraries do.
 */

/** Maximum difference between a timestamp and now, in both directions, in seconds. */
const TIMESTAMP_WINDOW_SECONDS = 300;

/** Unix seconds, as a number or as the header's text. The text is signed unchanged. */
export type UnixSeconds = number | string;

const SECRET_PREFIX = 'whsec_';
const HEX_DIGEST = /^[0-9a-f]{64}$/i;
const DIGITS = /^[0-9]{1,15}$/;

/** `sha256=` + hex over `v1:<timestamp>:<body>`. */
export function signVersioned(secret: string, timestamp: UnixSeconds, body: Uint8Array): string {
  return `sha256=${digest(secret, `v1:${timestamp}:`, body).toString('hex')}`;
}

/**
 * Returns whether `signature` is that of {@link signVersioned}. Constant time; false for a
 * malformed signature.
 */
export function verifyVersioned(
  secret: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
  signature: string,
): boolean {
  return matchesHex(signature, 'sha256=', digest(secret, `v1:${timestamp}:`, body));
}

/** `v1=` + hex over `<timestamp>.<body>`. */
export function signDottedV1(secret: string, timestamp: UnixSeconds, body: Uint8Array): string {
  return `v1=${digest(secret, `${timestamp}.`, body).toString('hex')}`;
}

/** `sha256=` + hex over `<timestamp>.<body>`. */
export function signDotted(secret: string, timestamp: UnixSeconds, body: Uint8Array): string {
  return `sha256=${digest(secret, `${timestamp}.`, body).toString('hex')}`;
}

/**
 * Returns whether `signature` is that of {@link signDotted}. Constant time; false for a malformed
 * signature.
 */
export function verifyDotted(
  secret: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
  signature: string,
): boolean {
  return matchesHex(signature, 'sha256=', digest(secret, `${timestamp}.`, body));
}

/** `v0=` + hex over `v0:<timestamp>:<body>`. */
export function signV0(secret: string, timestamp: UnixSeconds, body: Uint8Array): string {
  return `v0=${digest(secret, `v0:${timestamp}:`, body).toString('hex')}`;
}

/** The headers by which Slack apps check a request. Their libraries know a single secret. */
export function slackSignature(
  secret: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
): Record<string, string> {
  return {
    'X-Slack-Request-Timestamp': String(timestamp),
    'X-Slack-Signature': signV0(secret, timestamp, body),
  };
}

/**
 * Returns whether `signature` is that of {@link signV0}. Constant time; false for a malformed
 * signature.
 */
export function verifyV0(
  secret: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
  signature: string,
): boolean {
  return matchesHex(signature, 'v0=', digest(secret, `v0:${timestamp}:`, body));
}

/**
 * Returns whether `signature` is `prefix` + the hex digest of the body alone, as GitHub, Sentry and
 * Grafana sign. Constant time.
 */
export function verifyBody(secret: string, body: Uint8Array, signature: string, prefix = ''): boolean {
  return matchesHex(signature, prefix, digest(secret, '', body));
}

/**
 * Returns whether `signature` is the hex digest of `<timestamp>:<body>`, as Grafana signs with a
 * timestamp header. Constant time.
 */
export function verifyColon(
  secret: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
  signature: string,
): boolean {
  return matchesHex(signature, '', digest(secret, `${timestamp}:`, body));
}

/** Whether a sent text equals the secret, in constant time for texts of the same length. */
export function equalsSecret(secret: string, sent: string): boolean {
  return equalBytes(hashToken(sent), hashToken(secret));
}

/**
 * `webhook-signature` of Standard Webhooks: `v1,` + base64 over `<id>.<timestamp>.<body>`.
 * @throws RangeError when the secret is not `whsec_` + base64.
 */
export function signStandardWebhook(
  secret: string,
  id: string,
  timestamp: UnixSeconds,
  body: Uint8Array,
): string {
  return `v1,${digest(standardWebhookKey(secret), `${id}.${timestamp}.`, body).toString('base64')}`;
}

/**
 * Returns whether a timestamp header is Unix seconds within the window around now. Only digits: a
 * sign, a fraction, spaces or milliseconds (a time in the far future when read as seconds) are
 * refused.
 * @param nowMs now in milliseconds since the epoch, as `Date.now()` returns it
 */
export function isFreshTimestamp(
  timestamp: string,
  nowMs: number,
  windowSeconds = TIMESTAMP_WINDOW_SECONDS,
): boolean {
  if (!DIGITS.test(timestamp)) return false;
  return Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) <= windowSeconds;
}

function digest(key: string | KeyObject, prefix: string, body: Uint8Array): Buffer {
  // With an empty key anyone could forge signatures, so this is an internal error.
  if (key === '' || (typeof key === 'object' && key.symmetricKeySize === 0))
    throw new RangeError('a signing secret must not be empty');
  return createHmac('sha256', key).update(prefix).update(body).digest();
}

function standardWebhookKey(secret: string): KeyObject {
  if (!secret.startsWith(SECRET_PREFIX))
    throw new RangeError(`a signing secret must start with ${SECRET_PREFIX}`);
  return createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64');
}

function matchesHex(signature: string, prefix: string, expected: Buffer): boolean {
  if (!signature.startsWith(prefix)) return false;
  const hex = signature.slice(prefix.length);
  return HEX_DIGEST.test(hex) && equalBytes(Buffer.from(hex, 'hex'), expected);
}

function equalBytes(given: Buffer, expected: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}
