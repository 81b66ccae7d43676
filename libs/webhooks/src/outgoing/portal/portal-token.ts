import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { parse } from 'uuid';

/** The content of a portal token. */
export interface PortalSubject {
  spaceId: string;
  subscriptionId: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** Keys that sign a portal token. */
export interface PortalKeys {
  /** The installation's key for portal tokens. */
  key: KeyObject;
  /** The subscription's current signing secret. Rotating it invalidates the token. */
  secret: string;
}

const PREFIX = TOKEN_PREFIXES.portal;
const UUID_BYTES = 16;
const SUBJECT_BYTES = 2 * UUID_BYTES + 4;
const TOKEN_BYTES = SUBJECT_BYTES + 32;

/** Creates a token. It is not stored. */
export function signPortalToken(keys: PortalKeys, subject: PortalSubject): string {
  const bytes = bytesOf(subject);
  return PREFIX + Buffer.concat([bytes, macOf(keys, bytes)]).toString('base64url');
}

/** Returns the unverified content of a token, or undefined if it is malformed or expired. */
export function readPortalToken(token: string, nowMs: number): PortalSubject | undefined {
  const bytes = decoded(token);
  if (!bytes) return undefined;
  const expiresAt = bytes.readUInt32BE(2 * UUID_BYTES);
  if (nowMs >= expiresAt * 1000) return undefined;
  return {
    spaceId: uuidAt(bytes, 0),
    subscriptionId: uuidAt(bytes, UUID_BYTES),
    expiresAt,
  };
}

/** Whether a token was signed with these keys. Takes constant time. */
export function verifyPortalToken(keys: PortalKeys, token: string): boolean {
  const bytes = decoded(token);
  if (!bytes) return false;
  return timingSafeEqual(macOf(keys, bytes.subarray(0, SUBJECT_BYTES)), bytes.subarray(SUBJECT_BYTES));
}

function decoded(token: string): Buffer | undefined {
  if (!token.startsWith(PREFIX)) return undefined;
  const bytes = Buffer.from(token.slice(PREFIX.length), 'base64url');
  return bytes.length === TOKEN_BYTES ? bytes : undefined;
}

function bytesOf({ spaceId, subscriptionId, expiresAt }: PortalSubject): Buffer {
  const end = Buffer.alloc(4);
  end.writeUInt32BE(expiresAt);
  return Buffer.concat([parse(spaceId), parse(subscriptionId), end]);
}

/** Formats 16 bytes as a UUID. Invalid ones are harmless, because they find no subscription. */
function uuidAt(bytes: Buffer, offset: number): string {
  const hex = bytes.toString('hex', offset, offset + UUID_BYTES);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function macOf({ key, secret }: PortalKeys, subject: Buffer): Buffer {
  return createHmac('sha256', key).update(subject).update(secret).digest();
}
