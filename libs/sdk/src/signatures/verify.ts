import { bytesOf } from './raw-body.js';
import type { RawBody } from './raw-body.js';
import { ID_HEADER, PREVIOUS_HEADER, SCHEMES, decoded, keyOf, signedBytes } from './schemes.js';
import type { Scheme } from './schemes.js';

/** Headers of a request: web `Headers`, or an object with lower-case names as in node:http. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** One secret, or during a rotation the new and the old one. */
  readonly secret: string | readonly string[];
  readonly headers: RequestHeaders;
  /** The raw body. */
  readonly body: RawBody;
  /**
   * Default: detected from the headers. Standard Webhooks if present, with the timestamp of the
   * attempt, else `bot_push` or `outgoing` by the form of the signature. The schemes of requests to
   * Tieline, `incoming_native` and `incoming_compat`, must be given.
   */
  readonly scheme?: Scheme;
  /** Maximum difference of the timestamp from now, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Default: `Date.now()`. In milliseconds. */
  readonly now?: number;
}

/** The part of a signature that is wrong. */
export type SignatureFault =
  | 'no_signature'
  | 'no_timestamp'
  | 'no_id'
  | 'malformed_timestamp'
  | 'timestamp_in_milliseconds'
  | 'too_old'
  | 'in_the_future'
  | 'malformed_signature'
  | 'wrong_signature';

export type Verification =
  | {
      readonly ok: true;
      readonly scheme: Scheme;
      /** Unix seconds. */
      readonly timestamp: number;
      /** Index of the matching secret. */
      readonly secret: number;
    }
  | {
      readonly ok: false;
      readonly scheme: Scheme;
      readonly fault: SignatureFault;
      /** For logs, not for the sender. Contains no secret. */
      readonly reason: string;
    };

/**
 * Verifies that a request comes from Tieline, using the raw body and constant-time comparison.
 * Needs only Web Crypto, so it runs on every platform.
 * @throws TypeError for a parsed body or an invalid secret, which are errors of the program
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { secret, toleranceSeconds = 300, now = Date.now() } = options;
  const body = bytesOf(options.body);
  const header = (name: string) => headerOf(options.headers, name);
  const scheme = options.scheme ?? schemeOf(header);
  const rules = SCHEMES[scheme];
  const refused = (fault: SignatureFault, reason: string): Verification => ({
    ok: false,
    scheme,
    fault,
    reason,
  });

  const signatures = signaturesOf(scheme, header);
  if (signatures.length === 0)
    return refused('no_signature', `the header ${rules.signatureHeader} is missing`);
  const timestamp = header(rules.timestampHeader);
  if (timestamp === undefined)
    return refused('no_timestamp', `the header ${rules.timestampHeader} is missing`);
  const id = header(ID_HEADER);
  if (scheme === 'standard_webhooks' && id === undefined)
    return refused('no_id', `the header ${ID_HEADER} is missing`);
  const stale = timestampFault(timestamp, Math.floor(now / 1000), toleranceSeconds);
  if (stale) return refused(...stale);

  const candidates = signatures.flatMap((text) => candidateOf(scheme, text) ?? []);
  const form = `${rules.prefix}<${rules.encoding}>`;
  if (candidates.length === 0)
    return refused('malformed_signature', `the signature does not have the form ${form}`);
  const signed = signedBytes(scheme, timestamp, id ?? '', body);
  const match = await matchingSecret(scheme, [secret].flat(), candidates, signed);
  if (match === undefined)
    return refused('wrong_signature', 'the signature was made with another secret, body or timestamp');
  return { ok: true, scheme, timestamp: Number(timestamp), secret: match };
}

type Header = (name: string) => string | undefined;

function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

function schemeOf(header: Header): Scheme {
  if (header(SCHEMES.standard_webhooks.signatureHeader) !== undefined) return 'standard_webhooks';
  const isPush = header(SCHEMES.bot_push.signatureHeader)?.startsWith(SCHEMES.bot_push.prefix);
  return isPush ? 'bot_push' : 'outgoing';
}

/** Returns all signatures to check. During a rotation there are two. */
function signaturesOf(scheme: Scheme, header: Header): string[] {
  const { signatureHeader } = SCHEMES[scheme];
  const shown = [
    header(signatureHeader),
    signatureHeader === 'x-service-signature' ? header(PREVIOUS_HEADER) : undefined,
  ];
  const texts = shown.filter((text) => text !== undefined && text !== '') as string[];
  return scheme === 'standard_webhooks' ? texts.flatMap((text) => text.split(' ')) : texts;
}

function candidateOf(scheme: Scheme, text: string): Uint8Array<ArrayBuffer> | undefined {
  const { prefix, encoding } = SCHEMES[scheme];
  return text.startsWith(prefix) ? decoded(encoding, text.slice(prefix.length)) : undefined;
}

function timestampFault(text: string, now: number, tolerance: number): [SignatureFault, string] | undefined {
  if (!/^[0-9]{1,15}$/.test(text))
    return ['malformed_timestamp', 'the timestamp must be Unix seconds in plain digits'];
  const age = now - Number(text);
  if (Math.abs(age) <= tolerance) return undefined;
  if (Math.abs(now - Number(text) / 1000) <= 86_400 * 365)
    return ['timestamp_in_milliseconds', 'the timestamp is in milliseconds: it must be Unix seconds'];
  const allowed = `${tolerance} are allowed; check the clocks`;
  return age > 0
    ? ['too_old', `the timestamp is ${age} seconds old, ${allowed}`]
    : ['in_the_future', `the timestamp is ${-age} seconds in the future, ${allowed}`];
}

/** Tries each secret with each signature, in constant time by Web Crypto. */
async function matchingSecret(
  scheme: Scheme,
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<number | undefined> {
  if (secrets.length === 0) throw new TypeError('a signing secret must not be empty');
  for (const [index, secret] of secrets.entries()) {
    const key = await keyOf(scheme, secret);
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return index;
  }
  return undefined;
}
