import type { IncomingHttpHeaders } from 'node:http';
import { equalsSecret, isFreshTimestamp, verifyBody, verifyColon } from '@tieline/signing';

/** A signature in a sender's own scheme, as it came. */
export interface SenderSignature {
  /** The header that it came in. */
  header: string;
  /** Makes and compares a digest in constant time. */
  verify(secret: string, body: Buffer): boolean;
  /** Why its timestamp is refused; undefined where it is fresh, or where the scheme has none. */
  timestampFault(nowMs: number): string | undefined;
  /**
   * Tells one signed request from another; undefined where the scheme sends the same value with
   * every request.
   */
  digest: Buffer | undefined;
}

const GRAFANA_TIMESTAMPS = ['x-grafana-alerting-timestamp', 'x-grafana-alerting-signature-timestamp'];
const NO_TIMESTAMP = (): undefined => undefined;

/**
 * The signatures of GitHub, GitLab, Sentry and Grafana in the headers of a request
 * (docs/incoming-webhooks.md#native-signatures).
 */
export function senderSignatures(headers: IncomingHttpHeaders): SenderSignature[] {
  const found = [
    ofBody(headers, 'x-hub-signature-256', 'sha256='),
    ofBody(headers, 'sentry-hook-signature'),
    gitlab(headers),
    grafana(headers),
  ];
  return found.flatMap((signature) => signature ?? []);
}

/** A hex HMAC-SHA256 of the body alone. */
function ofBody(headers: IncomingHttpHeaders, header: string, prefix = ''): SenderSignature | undefined {
  const value = valueOf(headers, header);
  if (value === undefined) return undefined;
  return {
    header,
    verify: (secret, body) => verifyBody(secret, body, value, prefix) && isOfProgram(body),
    timestampFault: NO_TIMESTAMP,
    digest: Buffer.from(value.slice(prefix.length), 'hex'),
  };
}

/** The secret itself, which covers nothing of the request. */
function gitlab(headers: IncomingHttpHeaders): SenderSignature | undefined {
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
 * A hex HMAC-SHA256 of the body, or of `<timestamp>:<body>` where Grafana is told a header for the
 * timestamp.
 */
function grafana(headers: IncomingHttpHeaders): SenderSignature | undefined {
  const header = 'x-grafana-alerting-signature';
  const value = valueOf(headers, header);
  const timestamp = GRAFANA_TIMESTAMPS.map((name) => valueOf(headers, name)).find((one) => one !== undefined);
  if (value === undefined || timestamp === undefined) return ofBody(headers, header);
  return {
    header,
    verify: (secret, body) => verifyColon(secret, timestamp, body, value),
    timestampFault: (nowMs) =>
      isFreshTimestamp(timestamp, nowMs) ? undefined : 'timestamp outside 5 minutes, or no Unix seconds',
    digest: Buffer.from(value, 'hex'),
  };
}

/**
 * Whether a body is JSON or a form, as these programs send it. Otherwise a signature over
 * `<timestamp>:<body>` would also be one over a body that begins with the timestamp.
 */
function isOfProgram(body: Buffer): boolean {
  return /^\s*[{[]|^payload=/.test(body.subarray(0, 64).toString('latin1'));
}

/**
 * The value of a header; several differing ones are joined, so that nothing matches them. Empty
 * counts as absent.
 */
function valueOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = [headers[name] ?? []].flat().join(', ');
  return value === '' ? undefined : value;
}
