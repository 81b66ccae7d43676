import { createHmac, timingSafeEqual } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { deriveKey, hashToken } from '@tieline/signing';

/**
 * Creates modal tokens. A token is derived from the modal's id and SECRET_KEY, so that a repeated
 * click returns the same token. Only its hash is stored.
 */
@Injectable()
export class ModalTokens {
  private readonly key: KeyObject;

  constructor({ secretKey }: PlatformSettings) {
    this.key = deriveKey(secretKey, 'modal-token');
  }

  /** Returns the token: 32 bytes as base64url. */
  tokenOf(spaceId: string, modalId: string): string {
    return createHmac('sha256', this.key).update(`${spaceId}:${modalId}`).digest('base64url');
  }

  /** Returns the token of a stored modal, or undefined if SECRET_KEY has changed since. */
  tokenMatching(spaceId: string, modalId: string, hash: Buffer): string | undefined {
    const token = this.tokenOf(spaceId, modalId);
    return timingSafeEqual(hashToken(token), hash) ? token : undefined;
  }
}
