import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { deriveKey, hashToken } from '@tieline/signing';

/**
 * Makes the tokens of modals. Only hashes are stored; the token itself is derived from the modal's
 * id and SECRET_KEY, because a repeated click is answered with the same token.
 */
@Injectable()
export class ModalTokens {
  private readonly key: Buffer;

  constructor({ secretKey }: PlatformSettings) {
    this.key = deriveKey(secretKey, 'modal-token');
  }

  /** base64url of 32 bytes. */
  tokenOf(spaceId: string, modalId: string): string {
    return createHmac('sha256', this.key).update(`${spaceId}:${modalId}`).digest('base64url');
  }

  /** The token of a stored modal, or undefined when SECRET_KEY has changed since. */
  tokenMatching(spaceId: string, modalId: string, hash: Buffer): string | undefined {
    const token = this.tokenOf(spaceId, modalId);
    return timingSafeEqual(hashToken(token), hash) ? token : undefined;
  }
}
