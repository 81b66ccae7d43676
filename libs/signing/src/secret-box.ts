import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** The settings with the keys: base64 of 32 bytes each. `PlatformSettings` is one. */
export interface SecretKeys {
  readonly secretKey: string;
  readonly secretKeysOld: readonly string[];
}

/**
 * A stored secret that cannot be opened. The message names the reason, never key, purpose or
 * content.
 */
export class SecretBoxError extends Error {
  constructor(readonly reason: 'malformed' | 'unknown key' | 'not authentic') {
    super(`stored secret cannot be opened: ${reason}`);
    this.name = 'SecretBoxError';
  }
}

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const OVERHEAD_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts secrets at rest: AES-256-GCM under SECRET_KEY. A sealed value is `version (1 byte) | key
 * id (8) | nonce (12) | tag (16) | ciphertext`, stored as `bytea`. Sealing uses the current key,
 * opening the one that the key id names, so that the key can be rotated.
 *
 * Every value is bound to a purpose such as `outgoing:<id>`: a sealed value copied to another row
 * or column does not open.
 */
export class SecretBox {
  /**
   * Prefix of every value under the current key: the version and the key id (first 8 bytes of the
   * key's SHA-256).
   */
  readonly currentHeader: Buffer;
  // Not bytes, which Node.js 24 takes four times as long to use.
  private readonly currentKey: KeyObject;
  private readonly keysById = new Map<string, KeyObject>();

  /** @throws RangeError when a key is not 32 bytes long. */
  constructor(currentKey: Buffer, oldKeys: readonly Buffer[] = []) {
    for (const key of [currentKey, ...oldKeys]) {
      if (key.length !== KEY_BYTES) throw new RangeError(`an encryption key must have ${KEY_BYTES} bytes`);
      this.keysById.set(keyIdOf(key).toString('hex'), createSecretKey(key));
    }
    this.currentKey = createSecretKey(currentKey);
    this.currentHeader = Buffer.concat([Buffer.of(VERSION), keyIdOf(currentKey)]);
  }

  /** Creates a box with SECRET_KEY and SECRET_KEYS_OLD. */
  static fromSettings(keys: SecretKeys): SecretBox {
    return new SecretBox(decodeKey(keys.secretKey), keys.secretKeysOld.map(decodeKey));
  }

  /** Encrypts `plaintext` under the current key, bound to `purpose`. */
  seal(plaintext: string, purpose: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.currentKey, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associatedData(this.currentHeader, purpose));
    const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
    return Buffer.concat([this.currentHeader, nonce, cipher.getAuthTag(), ciphertext]);
  }

  /**
   * Decrypts a value of {@link seal} for the same purpose, under any known key. @throws
   * SecretBoxError
   */
  open(box: Uint8Array, purpose: string): string {
    const sealed = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
    if (sealed.length < OVERHEAD_BYTES || sealed[0] !== VERSION) throw new SecretBoxError('malformed');
    const header = sealed.subarray(0, HEADER_BYTES);
    const key = this.keysById.get(header.toString('hex', 1));
    if (!key) throw new SecretBoxError('unknown key');
    const nonce = sealed.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(associatedData(header, purpose));
    decipher.setAuthTag(sealed.subarray(HEADER_BYTES + NONCE_BYTES, OVERHEAD_BYTES));
    try {
      return Buffer.concat([decipher.update(sealed.subarray(OVERHEAD_BYTES)), decipher.final()]).toString(
        'utf8',
      );
    } catch {
      throw new SecretBoxError('not authentic');
    }
  }

  /**
   * Like {@link open}, for values where a bad one must not stop the others: returns undefined and
   * calls `unreadable`.
   */
  tryOpen(
    box: Uint8Array,
    purpose: string,
    unreadable: (reason: SecretBoxError['reason']) => void,
  ): string | undefined {
    try {
      return this.open(box, purpose);
    } catch (error) {
      if (!(error instanceof SecretBoxError)) throw error;
      unreadable(error.reason);
      return undefined;
    }
  }
}

/**
 * Derives a key of 32 bytes for one named use (HKDF-SHA256), for everything that SECRET_KEY
 * protects other than by a SecretBox: no two uses share a key, and none of them learns the key
 * itself.
 * @param secretKey base64 of 32 bytes
 */
export function deriveKey(secretKey: string, use: string): KeyObject {
  const bytes = hkdfSync('sha256', decodeKey(secretKey), Buffer.alloc(0), `tieline/${use}`, KEY_BYTES);
  return createSecretKey(Buffer.from(bytes));
}

// The header is authenticated too, so that a swapped key id or version is detected.
function associatedData(header: Buffer, purpose: string): Buffer {
  return Buffer.concat([header, Buffer.from(purpose, 'utf8')]);
}

function keyIdOf(key: Buffer): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, KEY_ID_BYTES);
}

function decodeKey(base64: string): Buffer {
  const key = Buffer.from(base64, 'base64');
  if (key.length !== KEY_BYTES)
    throw new RangeError(`an encryption key must be base64 of ${KEY_BYTES} bytes`);
  return key;
}
