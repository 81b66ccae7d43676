import type { IncomingHttpHeaders } from 'node:http';
import { isFreshTimestamp, newSigningSecret, verifyV0, verifyDotted } from '@tieline/signing';
import type { LiveSecrets } from '@tieline/signing';

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
/** Verified where a secret is missing; nobody is told of a match, see {@link signatureFault}. */
const NO_SECRET = newSigningSecret();
/** Verified when a request has no signature, so that the answer takes equally long. */
const DECOY: Pair = { signature: `sha256=${'0'.repeat(64)}`, timestamp: '0', verify: verifyDotted };

/**
 * What is wrong with a request's signature (contract, Authentication 3; decisions, section 9), or undefined when nothing is: exactly one
 * scheme's pair of headers, the hex digest of the raw bytes, a timestamp of 300 seconds around now. While a rotation overlaps
 * either secret will do. Whatever is wrong, a digest is made and compared twice, so that the time it takes does not tell.
 *
 * @param secrets undefined when they can't be read: nothing matches then
 */
export function signatureFault(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secrets: LiveSecrets | undefined,
  nowMs: number,
): string | undefined {
  const pairs = [NATIVE, COMPAT].flatMap((scheme) => pairOf(headers, scheme) ?? []);
  const [pair = DECOY] = pairs;
  const verifies = (secret = NO_SECRET): boolean => pair.verify(secret, pair.timestamp, body, pair.signature);
  const matches = verifies(secrets?.current) || verifies(secrets?.previous);
  if (pairs.length === 0) return 'signature headers missing';
  if (pairs.length > 1) return 'headers of both signature schemes';
  if (secrets === undefined) return 'the stored signing secret is unreadable: rotate it';
  if (!isFreshTimestamp(pair.timestamp, nowMs)) return 'timestamp outside 5 minutes, or no Unix seconds';
  return matches ? undefined : 'signature does not match';
}

/** The bytes of the signature that {@link signatureFault} found nothing wrong with. */
export function signatureBytes(headers: IncomingHttpHeaders): Buffer {
  const [pair = DECOY] = [NATIVE, COMPAT].flatMap((scheme) => pairOf(headers, scheme) ?? []);
  return Buffer.from(pair.signature.slice(pair.signature.indexOf('=') + 1), 'hex');
}

function pairOf(headers: IncomingHttpHeaders, scheme: Scheme): Pair | undefined {
  const [signature, timestamp] = [valueOf(headers, scheme.signature), valueOf(headers, scheme.timestamp)];
  return signature === undefined || timestamp === undefined
    ? undefined
    : { signature, timestamp, verify: scheme.verify };
}

/** The value of a header under any of its names. Differing ones are put together, so that nothing matches them. */
function valueOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  const values = new Set(names.flatMap((name) => headers[name] ?? []).filter((value) => value !== ''));
  return values.size === 0 ? undefined : [...values].join(', ');
}
