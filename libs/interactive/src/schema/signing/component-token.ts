import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ComponentKeys } from './component-keys.js';

/**
 * What a token stands for: this element of this bot. Not the message (contract, "Interactive
 * schema").
 */
export interface TokenSubject {
  spaceId: string;
  botId: string;
  actionId: string;
  /** As sent, "" for selects and for buttons without. */
  data: string;
}

/** `rotated`: signed before the secret was rotated or interactive components were switched off. */
export type TokenVerdict = 'ok' | 'expired' | 'rotated' | 'invalid';

type KeyName = 's' | 'i';

interface TokenParts {
  key: KeyName;
  generation: number;
  /** Unix milliseconds. */
  expiresAt: number;
}

/**
 * `<key><generation>.<expiry>.<HMAC>`; of bounded length, so that whatever is sent costs little.
 */
const TOKEN = /^([si])([1-9][0-9]{0,9})\.([1-9][0-9]{0,15})\.([A-Za-z0-9_-]{43})$/;

/**
 * A signed token for one element: an HMAC-SHA256 under the buttons signing secret, or under the
 * internal key where there is none. Only the holder of the key can tell or make one.
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

/**
 * ClickDependencies a token at this moment; the comparison takes the same time wherever the first difference
 * is.
 */
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
 * A JSON list is unambiguous. Callbacks are signed with the same secret, but their texts begin with
 * `v1:`.
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
