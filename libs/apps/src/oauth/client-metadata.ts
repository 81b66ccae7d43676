import type { ClientMetadata } from 'oidc-provider';
import type { App } from '../app.entity.js';

/**
 * Returns an app as a client of the provider. The secret is not part of it: `isClientSecret`
 * compares it.
 */
export function clientMetadata(app: App): ClientMetadata {
  const isPublic = app.clientType === 'public';
  return {
    client_id: app.clientId,
    client_name: app.name,
    redirect_uris: app.redirectUris,
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: isPublic ? 'none' : 'client_secret_post',
    // The provider wants one. It is compared in the database.
    ...(!isPublic && { client_secret: app.clientId }),
  };
}
