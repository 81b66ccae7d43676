import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { PlatformSettings } from '@tieline/platform/config';
import type { TokenPrefix } from '@tieline/platform/http';
import { deriveKey } from '@tieline/signing';

const SIGNATURE_BYTES = 32;

/**
 * Signs tokens that contain their subject, with a key derived from SECRET_KEY. Tokens stay valid
 * after a rotation of SECRET_KEY while the old key is configured.
 */
export class SignedSubjects {
  private readonly keys: readonly [KeyObject, ...KeyObject[]];

  /** @param use what the key is derived for */
  constructor(
    { secretKey, secretKeysOld }: Pick<PlatformSettings, 'secretKey' | 'secretKeysOld'>,
    use: string,
    private readonly prefix: TokenPrefix,
  ) {
    this.keys = [deriveKey(secretKey, use), ...secretKeysOld.map((key) => deriveKey(key, use))];
  }

  issue(spaceId: string, subject: Buffer): string {
    const signed = Buffer.concat([subject, signatureOf(this.keys[0], spaceId, subject)]);
    return this.prefix + signed.toString('base64url');
  }

  /** Returns the subject of a token; undefined if it is not a token of this space. */
  read(spaceId: string, token: string): Buffer | undefined {
    if (!token.startsWith(this.prefix)) return undefined;
    const signed = Buffer.from(token.slice(this.prefix.length), 'base64url');
    if (signed.length <= SIGNATURE_BYTES) return undefined;
    const subject = signed.subarray(0, -SIGNATURE_BYTES);
    const given = signed.subarray(-SIGNATURE_BYTES);
    const isGenuine = this.keys.some((key) => timingSafeEqual(given, signatureOf(key, spaceId, subject)));
    return isGenuine ? subject : undefined;
  }
}

function signatureOf(key: KeyObject, spaceId: string, body: Buffer): Buffer {
  return createHmac('sha256', key).update(`${spaceId}:`).update(body).digest();
}
