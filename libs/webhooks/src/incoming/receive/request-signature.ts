import type { IncomingHttpHeaders } from 'node:http';
import { isFreshTimestamp, newSigningSecret, verifyV0, verifyDotted } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';
import { senderSignatures } from './sender-signatures.js';
import type { SenderSignature } from './sender-signatures.js';

interface Scheme {
  /** Names of the signature header and of its timestamp header. */
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
/** Verified where a secret is missing; a match is never reported, see {@link judgeSignature}. */
const NO_SECRET = newSigningSecret();
/** Verified when a request has no signature, so that the answer takes equally long. */
const DECOY: Pair = { signature: `sha256=${'0'.repeat(64)}`, timestamp: '0', verify: verifyDotted };

/** The secrets that a request may be signed with. */
export interface SignatureSecrets {
  /** The webhook's own; undefined when they can't be read: nothing matches then. */
  own: LiveSecrets | undefined;
  /**
   * That of the sender's own scheme, undefined within when it can't be read; null: senders' schemes
   * are not accepted.
   */
  native: { secret: string | undefined } | null;
}

/**
 * What came of a signature: why it is refused, or the digest that tells it from others (undefined
 * where its scheme has none).
 */
export type JudgedSignature = { fault: string } | { fault?: undefined; digest: Buffer | undefined };

/**
 * Judges a request's signature (docs/incoming-webhooks.md#signatures): exactly one scheme's
 * headers, the digest of the raw bytes, a timestamp of 300 seconds around now. While a rotation
 * overlaps either secret will do. Whatever is wrong, the same digests are made and compared, so
 * that the time it takes does not tell.
 */
export function judgeSignature(
  headers: IncomingHttpHeaders,
  body: Buffer,
  { own, native }: SignatureSecrets,
  nowMs: number,
): JudgedSignature {
  const pairs = [NATIVE, COMPAT].flatMap((scheme) => pairOf(headers, scheme) ?? []);
  const sent = senderSignatures(headers);
  const [pair = DECOY] = pairs;
  const verifies = (secret = NO_SECRET): boolean => pair.verify(secret, pair.timestamp, body, pair.signature);
  const matches = verifies(own?.current) || verifies(own?.previous);
  const [sender] = sent;
  const senderMatches = sender?.verify(native?.secret ?? NO_SECRET, body) ?? false;

  if (native === null && pairs.length === 0 && sender)
    return { fault: `${sender.header} came, but the webhook has no native_secret` };
  const schemes = pairs.length + (native === null ? 0 : sent.length);
  if (schemes === 0) return { fault: 'signature headers missing' };
  if (schemes > 1) return { fault: 'headers of more than one signature scheme' };
  if (pairs.length === 0 && sender)
    return judgeSender(sender, { isReadable: native?.secret !== undefined, matches: senderMatches, nowMs });
  if (own === undefined) return { fault: 'the stored signing secret is unreadable: rotate it' };
  if (!isFreshTimestamp(pair.timestamp, nowMs))
    return { fault: 'timestamp outside 5 minutes, or no Unix seconds' };
  return matches ? { digest: digestOf(pair) } : { fault: 'signature does not match' };
}

function judgeSender(
  sender: SenderSignature,
  { isReadable, matches, nowMs }: { isReadable: boolean; matches: boolean; nowMs: number },
): JudgedSignature {
  if (!isReadable) return { fault: 'the stored native_secret is unreadable: set it again' };
  const fault = sender.timestampFault(nowMs);
  if (fault !== undefined) return { fault };
  return matches ? { digest: sender.digest } : { fault: `${sender.header} does not match` };
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
 * The value of a header under any of its names. Differing ones are put together, so that nothing
 * matches them.
 */
function valueOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  const values = new Set(names.flatMap((name) => headers[name] ?? []).filter((value) => value !== ''));
  return values.size === 0 ? undefined : [...values].join(', ');
}
