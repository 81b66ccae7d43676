import { verify } from '../../signatures/verify.js';
import type { Secret } from './secrets.js';

/** A request with its raw body and its headers by lower-case name. */
export interface SignedRequest {
  method: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
}

/** A valid signature. */
export interface Signature {
  scheme: 'outgoing' | 'bot_push';
  /** The signature itself, which is unique to this request. */
  text: string;
  secret: Secret;
}

/**
 * @returns the signature if it was made with one of the secrets within the last (or next) five
 * minutes
 */
export async function verifyRequest(
  { headers, body }: SignedRequest,
  secrets: readonly Secret[],
): Promise<Signature | undefined> {
  const given = [headers['x-service-signature']].flat()[0] ?? '';
  const scheme = given.startsWith('v1=') ? 'bot_push' : 'outgoing';
  const result = await verify({ secret: secrets.map(({ text }) => text), headers, body, scheme });
  if (!result.ok) return undefined;
  return { scheme, text: given.slice(given.indexOf('=') + 1), secret: secrets[result.secret]! };
}
