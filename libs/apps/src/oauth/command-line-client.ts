import type { ClientMetadata } from 'oidc-provider';

/**
 * The command line, a public client that every Tieline knows (docs/cli.md#sign-in). It gets tokens
 * of people and no bot, as clients without registration do.
 */
export const COMMAND_LINE_CLIENT = {
  client_id: 'tieline-cli',
  client_name: 'Tieline command line',
  redirect_uris: ['http://127.0.0.1/callback'],
  application_type: 'web',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
} satisfies ClientMetadata;
