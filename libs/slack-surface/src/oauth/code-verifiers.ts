import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { deriveKey } from '@tieline/signing';

const KEY_USE = 'slack-oauth-codes';

/**
 * Verifiers of PKCE for Slack apps, which send none. The provider requires one of every client, so
 * the server derives it from the client and the redirect URI. A code of one endpoint is therefore
 * worthless at the other: only `oauth.v2.access`, which checks the client secret, knows the
 * verifier (docs/slack-apps.md#install-an-app).
 */
@Injectable()
export class CodeVerifiers {
  private readonly key: KeyObject;

  constructor({ secretKey }: PlatformSettings) {
    this.key = deriveKey(secretKey, KEY_USE);
  }

  of(clientId: string, redirectUri: string): string {
    return createHmac('sha256', this.key)
      .update(JSON.stringify([clientId, redirectUri]))
      .digest('base64url');
  }
}
