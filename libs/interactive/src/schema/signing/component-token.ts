import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ComponentKeys } from './component-keys.js';

/** What a token proves: this element of this bot. The message is not part of it. */
export interface TokenSubject {
  spaceId: string;
  botId: string;
  actionId: string;
  /** Data as sent; "" for selects and for buttons without data. */
  data: string;
}

/** `rotated`: signed before the secret was rotated or interactive components were disabled. */
export type TokenVerdict = 'ok' | 'expired' | 'rotated' | 'invalid';

type KeyName = 's' | 'i';

interface TokenParts {
  key: KeyName;
  generation: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * `<key><generation>.<expiry>.<HMAC>`. The length is bounded, so that parsing any input is cheap.
 */
const TOKEN = /^([si])([1-9][0-9]{0,9})\.([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{43})$/;

/**
 * Returns the signed token of an element: an HMAC-SHA256 under the signing secret for buttons, or
 * under the internal key if there is none.
 * @param expiresAt Unix milliseconds
 */
export function signToken(keys: ComponentKeys, subject: TokenSubject, expiresAt: number): string {
  const parts: TokenParts = {
    key: keys.secret === undefined ? 'i' : 's',
    generation: keys.generation,
    expiresAt,
  };
  const mac = macOf(keys.secret ?? keys.internalKey(), parts, subject);
  return `${parts.key}${parts.generation}.${expiresAt}.${mac.toString('base64url')}`;
}

/** Verifies a token in constant time. */
export function verifyToken(
  keys: ComponentKeys,
  subject: TokenSubject,
  token: string,
  now = Date.now(),
): TokenVerdict {
  const read = readToken(token);
  if (!read) return 'invalid';
  if (read.generation > keys.generation) return 'invalid';
  if (read.generation < oldestGeneration(keys)) return 'rotated';
  const secret = read.generation === keys.generation ? keys.secret : keys.previousSecret;
  const key = read.key === 's' ? secret : keys.internalKey();
  if (key === undefined || !timingSafeEqual(macOf(key, read, subject), read.mac)) return 'invalid';
  return now < read.expiresAt ? 'ok' : 'expired';
}

function oldestGeneration({ generation, previousSecret }: ComponentKeys): number {
  return previousSecret === undefined ? generation : generation - 1;
}

function readToken(token: string): (TokenParts & { mac: Buffer }) | undefined {
  const match = TOKEN.exec(token);
  if (!match) return undefined;
  const [, key, generation, expiresAt, mac] = match as unknown as [string, KeyName, string, string, string];
  return {
    key,
    generation: Number(generation),
    expiresAt: Number(expiresAt),
    mac: Buffer.from(mac, 'base64url'),
  };
}

/**
 * Signs a JSON list, which is unambiguous. Callbacks use the same secret, but their signed texts
 * start with `v1:`.
 */
function macOf(
  key: string,
  { generation, expiresAt }: TokenParts,
  { spaceId, botId, actionId, data }: TokenSubject,
): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['signed_token', generation, expiresAt, spaceId, botId, actionId, data]))
    .digest();
}
