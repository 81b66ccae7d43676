import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretKeys } from '@tieline/signing';
import { checkedKey } from '../file-storage.js';

/**
 * What a signed link allows: one method on one object until a moment, with claims that the server
 * goes by.
 */
export interface StorageGrant {
  /** GET also serves HEAD. */
  readonly method: 'GET' | 'PUT';
  readonly key: string;
  /** Unix seconds; the link works up to and including this second. */
  readonly expiresAt: number;
  /** Further facts that the link carries and the signature covers, such as a size limit. */
  readonly claims: Readonly<Record<string, string>>;
}

/** The part of the configuration that links depend on. `PlatformSettings` is one. */
export interface StorageUrlSettings extends SecretKeys {
  readonly publicUrl: string;
}

/** Path below which local storage serves its links. */
export const STORAGE_PATH = '/storage/';

const KEY_USE = 'storage-urls';
const RESERVED = new Set(['expires', 'signature']);
const EXPIRES = /^[1-9][0-9]{0,11}$/;

/**
 * Links to locally stored files, signed with HMAC-SHA256 over method, key, expiry and claims, under
 * a key derived from SECRET_KEY. Links made before a rotation stay good, because the old keys are
 * tried too: for links that expire within an hour of this process's start, since others were made
 * later, and by nobody of us.
 */
export class StorageUrls {
  /**
   * @param keys the current key first
   * @param startedMs since when the current key is in force here
   */
  constructor(
    private readonly publicUrl: string,
    private readonly keys: readonly [Buffer, ...Buffer[]],
    private readonly startedMs = Date.now(),
  ) {}

  /** Links that begin with PUBLIC_URL, under SECRET_KEY and SECRET_KEYS_OLD. */
  static fromSettings(settings: StorageUrlSettings): StorageUrls {
    const old = settings.secretKeysOld.map((key) => deriveKey(key, KEY_USE));
    return new StorageUrls(settings.publicUrl, [deriveKey(settings.secretKey, KEY_USE), ...old]);
  }

  /**
   * The link for a grant. @throws RangeError for a malformed key or a claim named like one of the
   * link's own parameters
   */
  sign(grant: StorageGrant): string {
    if (Object.keys(grant.claims).some((name) => RESERVED.has(name)))
      throw new RangeError('reserved claim name');
    const url = new URL(this.publicUrl + STORAGE_PATH + checkedKey(grant.key));
    for (const [name, value] of Object.entries(grant.claims)) url.searchParams.set(name, value);
    url.searchParams.set('expires', String(grant.expiresAt));
    url.searchParams.set('signature', signatureOf(this.keys[0], grant).toString('base64url'));
    return url.href;
  }

  /**
   * What a link allows, or undefined when the request does not fit it: another method or object,
   * changed or repeated parameters, a wrong signature, or an expired link.
   * @param target path below {@link STORAGE_PATH} with the query, as the request has it
   */
  verify(method: string, target: string, nowMs: number): StorageGrant | undefined {
    const [key = '', query = ''] = splitOnce(target, '?');
    const parameters = new URLSearchParams(query);
    const given = Object.fromEntries(parameters);
    if (Object.keys(given).length !== parameters.size) return undefined;
    const { expires = '', signature = '', ...claims } = given;
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

  private keysFor({ expiresAt }: StorageGrant): readonly Buffer[] {
    return expiresAt * 1000 <= this.startedMs + OLD_KEYS_MS ? this.keys : this.keys.slice(0, 1);
  }
}

/** For how long after its start a process takes links under old keys. */
export const OLD_KEYS_MS = 3_600_000;

function signatureOf(secret: Buffer, { method, key, expiresAt, claims }: StorageGrant): Buffer {
  const sorted = Object.entries(claims).sort(([a], [b]) => (a < b ? -1 : 1));
  // JSON keeps the parts apart: no two grants have the same text.
  return createHmac('sha256', secret)
    .update(JSON.stringify([method, key, expiresAt, sorted]))
    .digest();
}

function equalText(given: string, expected: string): boolean {
  const bytes = Buffer.from(given);
  const wanted = Buffer.from(expected);
  return bytes.length === wanted.length && timingSafeEqual(bytes, wanted);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
