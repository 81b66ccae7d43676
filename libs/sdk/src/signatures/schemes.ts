/** The five signature schemes of Tieline (docs/signing.md). */

export type Scheme = 'outgoing' | 'bot_push' | 'incoming_native' | 'incoming_compat' | 'standard_webhooks';

export interface SchemeRules {
  readonly signatureHeader: string;
  readonly timestampHeader: string;
  /** Start of a signature. */
  readonly prefix: string;
  readonly encoding: 'hex' | 'base64';
  /** Signed text before the body. */
  signedBefore(timestamp: string, id: string): string;
}

export const SCHEMES: Readonly<Record<Scheme, SchemeRules>> = {
  outgoing: {
    signatureHeader: 'x-service-signature',
    timestampHeader: 'x-service-timestamp',
    prefix: 'sha256=',
    encoding: 'hex',
    signedBefore: (timestamp) => `v1:${timestamp}:`,
  },
  bot_push: {
    signatureHeader: 'x-service-signature',
    timestampHeader: 'x-service-timestamp',
    prefix: 'v1=',
    encoding: 'hex',
    signedBefore: (timestamp) => `${timestamp}.`,
  },
  incoming_native: {
    signatureHeader: 'x-service-signature',
    timestampHeader: 'x-service-timestamp',
    prefix: 'sha256=',
    encoding: 'hex',
    signedBefore: (timestamp) => `${timestamp}.`,
  },
  incoming_compat: {
    signatureHeader: 'x-compat-signature',
    timestampHeader: 'x-compat-request-timestamp',
    prefix: 'v0=',
    encoding: 'hex',
    signedBefore: (timestamp) => `v0:${timestamp}:`,
  },
  standard_webhooks: {
    signatureHeader: 'webhook-signature',
    timestampHeader: 'webhook-timestamp',
    prefix: 'v1,',
    encoding: 'base64',
    signedBefore: (timestamp, id) => `${id}.${timestamp}.`,
  },
};

/**
 * Signature with the previous secret during a rotation. Standard Webhooks lists both in one header
 * instead.
 */
export const PREVIOUS_HEADER = 'x-service-signature-previous';
export const ID_HEADER = 'webhook-id';

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

const SECRET_PREFIX = 'whsec_';
/** Minimum key length. Tieline's secrets have 32 bytes. */
const MIN_KEY_BYTES = 16;

/**
 * Derives the HMAC key of a scheme from a secret: the bytes of the whole text, or for Standard
 * Webhooks the decoded bytes after `whsec_`.
 * @throws TypeError for a key short enough to guess, or a secret that Standard Webhooks cannot
 * decode
 */
export async function keyOf(scheme: Scheme, secret: string): Promise<Key> {
  if (typeof secret !== 'string' || secret === '') throw new TypeError('a signing secret must not be empty');
  const bytes = scheme === 'standard_webhooks' ? decodedSecret(secret) : new TextEncoder().encode(secret);
  if (bytes.length < MIN_KEY_BYTES)
    throw new TypeError(`a signing secret must have at least ${MIN_KEY_BYTES} bytes`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

/** Returns the signed bytes. */
export function signedBytes(
  scheme: Scheme,
  timestamp: string,
  id: string,
  body: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const before = new TextEncoder().encode(SCHEMES[scheme].signedBefore(timestamp, id));
  const bytes = new Uint8Array(before.length + body.length);
  bytes.set(before);
  bytes.set(body, before.length);
  return bytes;
}

/** Decodes a signature without its prefix. Undefined if it is malformed. */
export function decoded(encoding: 'hex' | 'base64', text: string): Uint8Array<ArrayBuffer> | undefined {
  if (encoding === 'base64') return /^[A-Za-z0-9+/]{43}=$/.test(text) ? fromBase64(text) : undefined;
  if (!/^[0-9a-f]{64}$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
}

export function encoded(encoding: 'hex' | 'base64', bytes: Uint8Array): string {
  if (encoding === 'base64') return btoa(String.fromCharCode(...bytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function decodedSecret(secret: string): Uint8Array<ArrayBuffer> {
  const text = secret.slice(SECRET_PREFIX.length);
  if (!secret.startsWith(SECRET_PREFIX) || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw new TypeError('a signing secret must be whsec_ followed by base64');
  return fromBase64(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
