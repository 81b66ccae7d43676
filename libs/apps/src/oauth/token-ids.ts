import { TOKEN_PREFIXES } from '@tieline/platform/http';
import { newToken } from '@tieline/signing';
import type { Provider } from 'oidc-provider';

/** Lets the provider issue tokens with our prefixes and 256 random bits. */
export function prefixTokens(provider: Provider): void {
  const issue = (model: { prototype: unknown }, prefix: Parameters<typeof newToken>[0]): void => {
    const prototype = model.prototype as { generateTokenId: (this: { format?: string }) => string };
    prototype.generateTokenId = function generateTokenId() {
      this.format = 'opaque';
      return newToken(prefix);
    };
  };
  issue(provider.AccessToken, TOKEN_PREFIXES.appAccess);
  issue(provider.RefreshToken, TOKEN_PREFIXES.appRefresh);
  issue(provider.AuthorizationCode, '');
}
