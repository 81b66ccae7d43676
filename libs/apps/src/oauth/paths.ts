/** Paths of the OAuth provider. */
export const AUTHORIZE_PATH = '/oauth/authorize';
export const TOKEN_PATH = '/oauth/token';
export const REVOKE_PATH = '/oauth/revoke';
export const REGISTER_PATH = '/oauth/register';
/** Path of the metadata of the provider (RFC 8414). */
export const SERVER_METADATA_PATH = '/.well-known/oauth-authorization-server';
/** Page of the console that shows an interaction and sends the answer. */
export const CONSENT_PATH = '/oauth/consent';
