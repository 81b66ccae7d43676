import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { deriveKey, type SecretKeys } from '@tieline/signing';
import { validateKey } from '../file-storage.js';

/**
 * What a signed link allows: one method on one object until a point in time, with claims that the
 * server enforces.
 */
export interface StorageGrant {
  /** GET also serves HEAD. */
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Unix seconds; the link works up to and including this second. */
  readonly expiresAt: number;
  /** Further facts in the link that the signature covers, such as a size limit. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The settings that links depend on. `PlatformSettings` has them. */
export interface StorageUrlSettings extends SecretKeys {
  readonly publicUrl: string;
}

/** Path below which local storage serves its links. */
export const STORAGE_PATH = '/storage/';

const KEY_USE = 'storage-urls';
const RESERVED = new Set(['expires', 'signature']);
const EXPIRES = /^[1-9][0-9]{0,11}$/;

/**
 * Signs and verifies links to locally stored files: HMAC-SHA256 over method, key, expiry and
 * claims, with a key derived from SECRET_KEY. After a rotation, links signed with an old key stay
 * valid if they expire within an hour of this process's start. Later ones cannot have been created
 * before the rotation.
 */
export class StorageUrls {
  /**
   * @param keys the current key first
   * @param startedMs when this process started to use the current key
   */
  constructor(
    private readonly publicUrl: string,
    private readonly keys: readonly [KeyObject, ...KeyObject[]],
    private readonly startedMs = Date.now(),
  ) {}

  /** Creates links that start with PUBLIC_URL, with SECRET_KEY and SECRET_KEYS_OLD. */
  static fromSettings(settings: StorageUrlSettings): StorageUrls {
    const old = settings.secretKeysOld.map((key) => deriveKey(key, KEY_USE));
    return new StorageUrls(settings.publicUrl, [deriveKey(settings.secretKey, KEY_USE), ...old]);
  }

  /**
   * Returns the link for a grant.
   * @throws RangeError for a malformed key or a claim with the name of a link parameter
   */
  sign(grant: StorageGrant): string {
    if (Object.keys(grant.claims).some((name) => RESERVED.has(name)))
      throw new RangeError('reserved claim name');
    const url = new URL(this.publicUrl + STORAGE_PATH + validateKey(grant.key));
    for (const [name, value] of Object.entries(grant.claims)) url.searchParams.set(name, value);
    url.searchParams.set('expires', String(grant.expiresAt));
    url.searchParams.set('signature', signatureOf(this.keys[0], grant).toString('base64url'));
    return url.href;
  }

  /**
   * Returns what a link allows, or undefined if the request does not match it: another method or
   * object, changed or repeated parameters, a wrong signature, or an expired link.
   * @param target path below {@link STORAGE_PATH} with the query, as in the request
   */
  verify(method: string, target: string, nowMs: number): StorageGrant | undefined {
    const [key = '', query = ''] = splitOnce(target, '?');
    const parameters = new URLSearchParams(query);
    const values = Object.fromEntries(parameters);
    if (Object.keys(values).length !== parameters.size) return undefined;
    const { expires = '', signature = '', ...claims } = values;
    if (!EXPIRES.test(expires) || Math.floor(nowMs / 1000) > Number(expires)) return undefined;
    const granted = method === 'HEAD' ? 'GET' : method;
    if (granted !== 'GET' && granted !== 'PUT') return undefined;
    const grant: StorageGrant = { method: granted, key, expiresAt: Number(expires), claims };
    return this.keysFor(grant).some((secret) =>
      equalText(signature, signatureOf(secret, grant).toString('base64url')),
    )
      ? grant
      : undefined;
  }

  private keysFor({ expiresAt }: StorageGrant): readonly KeyObject[] {
    return expiresAt * 1000 <= this.startedMs + OLD_KEYS_MS ? this.keys : this.keys.slice(0, 1);
  }
}

/** How long after its start a process accepts links signed with old keys. */
const OLD_KEYS_MS = 3_600_000;

function signatureOf(secret: KeyObject, { method, key, expiresAt, claims }: StorageGrant): Buffer {
  const sorted = Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1));
  // JSON separates the parts, so no two grants have the same text.
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, key, expiresAt, sorted]))
    .digest();
}

function equalText(values: string, expected: string): boolean {
  const bytes = Buffer.from(values);
  const wanted = Buffer.from(expected);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
