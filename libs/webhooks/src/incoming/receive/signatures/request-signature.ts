import type { IncomingHttpHeaders } from 'node:http';
import { isFreshTimestamp, newSigningSecret, verifyV0, verifyDotted } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';
import type { SenderSignature } from '../../native/parts/signatures.js';
import { senderSignatures } from '../../native/registry.js';

interface Scheme {
  /** Names of the signature header. */
  signature: readonly string[];
  timestamp: readonly string[];
  verify: typeof verifyDotted;
}

interface Pair {
  signature: string;
  timestamp: string;
  verify: Scheme['verify'];
}

const NATIVE: Scheme = {
  signature: ['x-service-signature'],
  timestamp: ['x-service-timestamp'],
  verify: verifyDotted,
};
const COMPAT: Scheme = {
  signature: ['x-compat-signature', 'x-slack-signature'],
  timestamp: ['x-compat-request-timestamp', 'x-slack-request-timestamp'],
  verify: verifyV0,
};
/** Secret verified when none is available. A match with it is never reported. */
const NO_SECRET = newSigningSecret();
/** Signature verified when a request has none, so that the response takes equally long. */
const DECOY: Pair = { signature: `sha256=${'0'.repeat(64)}`, timestamp: '0', verify: verifyDotted };

/** Secrets that may have signed a request. */
export interface SignatureSecrets {
  /** The webhook's signing secrets. Undefined if unreadable: then no signature matches. */
  own: LiveSecrets | undefined;
  /**
   * Secret of the sender's own scheme, undefined inside if unreadable. Null: senders' schemes are
   * not accepted.
   */
  native: { secret: string | undefined } | null;
}

/**
 * Result of a check: why the signature is rejected, or its digest, which identifies the request.
 * The digest is undefined if the scheme has none.
 */
export type SignatureCheck = { fault: string } | { fault?: undefined; digest: Buffer | undefined };

/**
 * Checks the signature of a request. Requires the headers of exactly one scheme, a matching digest
 * of the raw body, and a timestamp within 300 seconds of now. During a rotation either secret is
 * accepted. Computes and compares the same digests whatever is wrong, so that timing reveals
 * nothing.
 */
export function checkSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { own, native }: SignatureSecrets,
  nowMs: number,
): SignatureCheck {
  const pairs = [NATIVE, COMPAT].flatMap((scheme) => pairOf(headers, scheme) ?? []);
  const sent = senderSignatures(headers);
  const [pair = DECOY] = pairs;
  const verifies = (secret = NO_SECRET): boolean => pair.verify(secret, pair.timestamp, body, pair.signature);
  const matches = verifies(own?.current) || verifies(own?.previous);
  const [sender] = sent;
  const match = sender?.match(native?.secret ?? NO_SECRET, body);

  if (native === null && pairs.length === 0 && sender)
    return { fault: `received ${sender.header}, but the webhook has no native_secret` };
  const schemes = pairs.length + (native === null ? 0 : sent.length);
  if (schemes === 0) return { fault: 'signature headers missing' };
  if (schemes > 1) return { fault: 'headers of more than one signature scheme' };
  if (pairs.length === 0 && sender)
    return checkSender(sender, { isReadable: native?.secret !== undefined, match, nowMs });
  if (own === undefined) return { fault: 'the stored signing secret is unreadable: rotate it' };
  if (!isFreshTimestamp(pair.timestamp, nowMs))
    return { fault: 'timestamp outside 5 minutes or not in Unix seconds' };
  return matches ? { digest: digestOf(pair) } : { fault: 'signature does not match' };
}

type SignatureMatch = ReturnType<SenderSignature['match']>;

function checkSender(
  sender: SenderSignature,
  { isReadable, match, nowMs }: { isReadable: boolean; match: SignatureMatch; nowMs: number },
): SignatureCheck {
  if (!isReadable) return { fault: 'the stored native_secret is unreadable: set it again' };
  const fault = sender.timestampFault(nowMs);
  if (fault !== undefined) return { fault };
  return match ?? { fault: `${sender.header} does not match` };
}

function digestOf({ signature }: Pair): Buffer {
  return Buffer.from(signature.slice(signature.indexOf('=') + 1), 'hex');
}

function pairOf(headers: IncomingHttpHeaders, scheme: Scheme): Pair | undefined {
  const [signature, timestamp] = [valueOf(headers, scheme.signature), valueOf(headers, scheme.timestamp)];
  return signature === undefined || timestamp === undefined
    ? undefined
    : { signature, timestamp, verify: scheme.verify };
}

/**
 * Returns the value of a header under any of its names. Joins different values, so that they match
 * nothing.
 */
function valueOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  const values = new Set(names.flatMap((name) => headers[name] ?? []).filter((value) => value !== ''));
  return values.size === 0 ? undefined : [...values].join(', ');
}
