import { verify } from '../../signatures/verify.js';
import type { Secret } from './secrets.js';

/** A request as it came: the raw bytes, and headers by their names in lower case. */
export interface SignedRequest {
  method: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  body: Uint8Array;
}

/** A signature that is genuine. */
export interface Signature {
  scheme: 'outgoing' | 'bot_push';
  /** What the signature of this request alone is: nobody else can make the same. */
  text: string;
  secret: Secret;
}

/**
 * @returns the signature, if it is by one of the secrets and not older (or newer) than five minutes
 */
export async function verified(
  { headers, body }: SignedRequest,
  secrets: readonly Secret[],
): Promise<Signature | undefined> {
  const given = [headers['x-service-signature']].flat()[0] ?? '';
  const scheme = given.startsWith('v1=') ? 'bot_push' : 'outgoing';
  const result = await verify({ secret: secrets.map(({ text }) => text), headers, body, scheme });
  if (!result.ok) return undefined;
  return { scheme, text: given.slice(given.indexOf('=') + 1), secret: secrets[result.secret]! };
}
