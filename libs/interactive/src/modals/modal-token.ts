import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, hashToken } from '@tieline/platform/signing';

/**
 * The tokens of modals. Only their hash is stored; a token can be told again from the modal's id and a key that is
 * derived from SECRET_KEY, because a repeated click is answered with it once more.
 */
export class ModalTokens {
  private readonly key: Buffer;

  /** @param secretKey base64 of 32 bytes */
  constructor(secretKey: string) {
    this.key = deriveKey(secretKey, 'modal-token');
  }

  /** base64url of 32 bytes. */
  tokenOf(spaceId: string, modalId: string): string {
    return createHmac('sha256', this.key).update(`${spaceId}:${modalId}`).digest('base64url');
  }

  /** The token again, unless SECRET_KEY was changed since. */
  tellAgain(spaceId: string, modalId: string, hash: Buffer): string | undefined {
    const token = this.tokenOf(spaceId, modalId);
    return timingSafeEqual(hashToken(token), hash) ? token : undefined;
  }
}
