import type { IncomingHttpHeaders } from 'node:http';
import { verifyBody } from '@tieline/signing';

/** A signature in a sender's own scheme. */
export interface SenderSignature {
  /** Name of its header. */
  header: string;
  /**
   * Computes and compares the digest in constant time. Returns undefined if it differs. `digest`
   * identifies the signed request; it is undefined if the scheme sends the same value with every
   * request.
   */
  match(secret: string, body: Buffer): { digest: Buffer | undefined } | undefined;
  /** Returns why the timestamp is rejected. Undefined if it is fresh or the scheme has none. */
  timestampFault(nowMs: number): string | undefined;
}

/** Returns the signature in a request's headers, if there is one. */
export type SignatureReader = (headers: IncomingHttpHeaders) => SenderSignature | undefined;

/** Maximum number of signatures that one header may list. */
const MAX_LISTED = 4;

export const NO_TIMESTAMP = (): undefined => undefined;

/**
 * Reads a hex HMAC-SHA256 of the body from a header, after a prefix. With `isList`, the header
 * lists signatures by several secrets, separated by commas, and one of them must match.
 */
export function bodySignature(header: string, { prefix = '', isList = false } = {}): SignatureReader {
  return (headers) => {
    const value = headerValue(headers, header);
    if (value === undefined) return undefined;
    const listed = isList ? value.split(',', MAX_LISTED).map((one) => one.trim()) : [value];
    return {
      header,
      match: (secret, body) => {
        const matching = listed.filter((one) => verifyBody(secret, body, one, prefix)).at(0);
        return matching !== undefined && isJsonOrForm(body)
          ? { digest: Buffer.from(matching.slice(prefix.length), 'hex') }
          : undefined;
      },
      timestampFault: NO_TIMESTAMP,
    };
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
export function headerValue(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = [headers[name] ?? []].flat().join(', ');
  return value === '' ? undefined : value;
}
