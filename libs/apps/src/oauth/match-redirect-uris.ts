import type { Provider } from 'oidc-provider';
import { isRegistered } from '../redirect-uri.js';

/** Lets the provider compare redirect URIs by our rule (docs/oauth.md#redirect-uris). */
export function matchRedirectUris(provider: Provider): void {
  const prototype = provider.Client.prototype as unknown as { redirectUriAllowed: unknown };
  prototype.redirectUriAllowed = function redirectUriAllowed(this: { redirectUris: string[] }, uri: string) {
    return isRegistered(this.redirectUris, uri);
  };
}
