import type { IncomingHttpHeaders } from 'node:http';
import { equalsSecret, isFreshTimestamp, verifyBody, verifyColon } from '@tieline/signing';

/** A signature in a sender's own scheme. */
export interface SenderSignature {
  /** Name of its header. */
  header: string;
  /** Computes and compares the digest in constant time. */
  verify(secret: string, body: Buffer): boolean;
  /** Returns why the timestamp is rejected. Undefined if it is fresh or the scheme has none. */
  timestampFault(nowMs: number): string | undefined;
  /**
   * Identifies the signed request. Undefined if the scheme sends the same value with every request.
   */
  digest: Buffer | undefined;
}

const GRAFANA_TIMESTAMPS = ['x-grafana-alerting-timestamp', 'x-grafana-alerting-signature-timestamp'];
const NO_TIMESTAMP = (): undefined => undefined;

/** Returns the signatures of GitHub, GitLab, Sentry and Grafana in the headers. */
export function senderSignatures(headers: IncomingHttpHeaders): SenderSignature[] {
  const found = [
    bodySignature(headers, 'x-hub-signature-256', 'sha256='),
    bodySignature(headers, 'sentry-hook-signature'),
    gitlabSignature(headers),
    grafanaSignature(headers),
  ];
  return found.flatMap((signature) => signature ?? []);
}

/** Reads a hex HMAC-SHA256 of the body. */
function bodySignature(
  headers: IncomingHttpHeaders,
  header: string,
  prefix = '',
): SenderSignature | undefined {
  const value = valueOf(headers, header);
  if (value === undefined) return undefined;
  return {
    header,
    verify: (secret, body) => verifyBody(secret, body, value, prefix) && isJsonOrForm(body),
    timestampFault: NO_TIMESTAMP,
    digest: Buffer.from(value.slice(prefix.length), 'hex'),
  };
}

/** Reads GitLab's token, which is the secret itself and covers no part of the request. */
function gitlabSignature(headers: IncomingHttpHeaders): SenderSignature | undefined {
  const header = 'x-gitlab-token';
  const value = valueOf(headers, header);
  if (value === undefined) return undefined;
  return {
    header,
    verify: (secret) => equalsSecret(secret, value),
    timestampFault: NO_TIMESTAMP,
    digest: undefined,
  };
}

/**
 * Reads a hex HMAC-SHA256 of the body, or of `<timestamp>:<body>` if Grafana is configured to send
 * a timestamp.
 */
function grafanaSignature(headers: IncomingHttpHeaders): SenderSignature | undefined {
  const header = 'x-grafana-alerting-signature';
  const value = valueOf(headers, header);
  const timestamp = GRAFANA_TIMESTAMPS.map((name) => valueOf(headers, name)).find((one) => one !== undefined);
  if (value === undefined || timestamp === undefined) return bodySignature(headers, header);
  return {
    header,
    verify: (secret, body) => verifyColon(secret, timestamp, body, value),
    timestampFault: (nowMs) =>
      isFreshTimestamp(timestamp, nowMs) ? undefined : 'timestamp outside 5 minutes or not in Unix seconds',
    digest: Buffer.from(value, 'hex'),
  };
}

/**
 * Whether a body is JSON or a form, as these programs send it. Without this check, a signature of
 * `<timestamp>:<body>` would also be valid for a body that starts with the timestamp.
 */
function isJsonOrForm(body: Buffer): boolean {
  return /^\s*[{[]|^payload=/.test(body.subarray(0, 64).toString('latin1'));
}

/**
 * Returns the value of a header. Joins different values, so that they match nothing. Empty counts
 * as absent.
 */
function valueOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = [headers[name] ?? []].flat().join(', ');
  return value === '' ? undefined : value;
}
