import { bytesOf } from './raw-body.js';
import type { RawBody } from './raw-body.js';
import { ID_HEADER, PREVIOUS_HEADER, SCHEMES, decoded, keyOf, signedBytes } from './schemes.js';
import type { Scheme } from './schemes.js';

/** Headers of a request: the web's, or an object with names in lower case as in node:http. */
export type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** One, or while it is rotated the new one and the old one. */
  readonly secret: string | readonly string[];
  readonly headers: RequestHeaders;
  /** As it travelled, not parsed. */
  readonly body: RawBody;
  /**
   * Default: what the headers show. That is Standard Webhooks where they are there, whose timestamp
   * is that of the attempt; else `bot_push` or `outgoing` by the form of the signature. What
   * Tieline receives, `incoming_native` and `incoming_compat`, has to be named.
   */
  readonly scheme?: Scheme;
  /** How far the timestamp may lie from now, either way, in seconds. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Default: `Date.now()`. In milliseconds. */
  readonly now?: number;
}

/** Which part of a signature is wrong. */
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
      /** Which of the secrets it is by: 0 for the first. */
      readonly secret: number;
    }
  | {
      readonly ok: false;
      readonly scheme: Scheme;
      readonly fault: SignatureFault;
      /** For logs, not for whoever sent the request. Holds no secret. */
      readonly reason: string;
    };

/**
 * Whether a request is Tieline's, over the raw bytes of its body and in constant time. Web Crypto
 * alone, so it runs everywhere.
 * @throws TypeError for a body that was parsed or a secret that can't be one: faults of the
 * program, not of the request
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
    return refused('malformed_signature', `the signature has not the form ${form}`);
  const signed = signedBytes(scheme, timestamp, id ?? '', body);
  const match = await matchingSecret(scheme, [secret].flat(), candidates, signed);
  if (match === undefined)
    return refused('wrong_signature', 'the signature is by another secret, or of another body or timestamp');
  return { ok: true, scheme, timestamp: Number(timestamp), secret: match };
}

type Header = (name: string) => string | undefined;

export function headerOf(headers: RequestHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name] ?? Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : value?.join(' ');
}

function schemeOf(header: Header): Scheme {
  if (header(SCHEMES.standard_webhooks.signatureHeader) !== undefined) return 'standard_webhooks';
  const isPush = header(SCHEMES.bot_push.signatureHeader)?.startsWith(SCHEMES.bot_push.prefix);
  return isPush ? 'bot_push' : 'outgoing';
}

/** All that may be by one of the secrets: while a rotation overlaps there are two. */
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
    return ['malformed_timestamp', 'the timestamp is not plain digits: Unix seconds'];
  const age = now - Number(text);
  if (Math.abs(age) <= tolerance) return undefined;
  if (Math.abs(now - Number(text) / 1000) <= 86_400 * 365)
    return ['timestamp_in_milliseconds', 'the timestamp is in milliseconds: it must be Unix seconds'];
  const allowed = `${tolerance} are allowed; see whether the clocks are right`;
  return age > 0
    ? ['too_old', `the timestamp is ${age} seconds old, ${allowed}`]
    : ['in_the_future', `the timestamp is ${-age} seconds in the future, ${allowed}`];
}

/** Each secret is tried with each signature, in constant time by Web Crypto. */
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
