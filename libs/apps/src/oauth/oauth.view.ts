import { Field, SCOPES } from '@tieline/platform/http';

const PUBLIC_URL = 'https://tieline.example';

/** Metadata of the authorization server (RFC 8414). */
export class ServerMetadataAnswer {
  @Field({ example: PUBLIC_URL })
  issuer: string;

  @Field({ example: `${PUBLIC_URL}/oauth/authorize` })
  authorization_endpoint: string;

  @Field({ example: `${PUBLIC_URL}/oauth/token` })
  token_endpoint: string;

  @Field({ example: `${PUBLIC_URL}/oauth/revoke` })
  revocation_endpoint: string;

  @Field({
    example: `${PUBLIC_URL}/oauth/register`,
    optional: true,
    description: 'with OAUTH_DYNAMIC_REGISTRATION',
  })
  registration_endpoint?: string;

  @Field({ example: [...SCOPES] })
  scopes_supported: readonly string[];

  @Field({ example: ['code'] })
  response_types_supported: readonly string[];

  @Field({ example: ['query'] })
  response_modes_supported: readonly string[];

  @Field({ example: ['authorization_code', 'refresh_token'] })
  grant_types_supported: readonly string[];

  @Field({ example: ['client_secret_basic', 'client_secret_post', 'none'] })
  token_endpoint_auth_methods_supported: readonly string[];

  @Field({ example: ['client_secret_basic', 'client_secret_post', 'none'] })
  revocation_endpoint_auth_methods_supported: readonly string[];

  @Field({ example: ['S256'] })
  code_challenge_methods_supported: readonly string[];

  @Field({ example: true })
  authorization_response_iss_parameter_supported: boolean;

  @Field({ example: true })
  client_id_metadata_document_supported: boolean;
}

/** A client that registered itself. */
export class RegisteredClientAnswer {
  @Field({ example: 'reg_K1Yk8iRzq0SxVY2i3kQ1xA' })
  client_id: string;

  @Field({ example: 1795786688, description: 'Unix seconds' })
  client_id_issued_at: number;

  @Field({ example: 'An assistant' })
  client_name: string;

  @Field({ example: ['https://app.example/callback'] })
  redirect_uris: string[];

  @Field({ example: ['authorization_code', 'refresh_token'] })
  grant_types: string[];

  @Field({ example: ['code'] })
  response_types: string[];

  @Field({ enum: ['none'], example: 'none' })
  token_endpoint_auth_method: 'none';
}

/** The bot of the app in a response of the token endpoint. */
class TokenBotView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d11' })
  id: string;

  @Field({
    example: 'tlb_…',
    optional: true,
    description: 'a new token, which replaces the previous one; absent after a refresh without rotation',
  })
  token?: string;

  @Field({ example: 'messages:write' })
  scope: string;

  @Field({ example: 3600, optional: true, description: 'seconds; absent if the token does not expire' })
  expires_in?: number;
}

/** The person in a response of the token endpoint. */
class TokenUserView {
  @Field({ example: '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d02' })
  id: string;
}

/** The space in a response of the token endpoint. */
class TokenSpaceView {
  @Field({ example: '01939d3e-1111-7aaa-9c1d-2f6a5b1c0d11' })
  id: string;

  @Field({ example: 'Acme' })
  name: string;
}

/** A response of the token endpoint (docs/oauth.md#token). */
export class TokenAnswer {
  @Field({ example: 'tla_…', description: "the person's token; without scopes of a person, the bot's" })
  access_token: string;

  @Field({ enum: ['Bearer'] })
  token_type: string;

  @Field({ example: 'messages:read', description: 'the scopes of `access_token`' })
  scope: string;

  @Field({ example: 3600, optional: true, description: 'seconds; absent if the token does not expire' })
  expires_in?: number;

  @Field({ example: 'tlf_…', optional: true, description: 'works once' })
  refresh_token?: string;

  @Field({ type: TokenBotView, optional: true })
  bot?: TokenBotView;

  @Field({ type: TokenUserView, description: 'who agreed' })
  user: TokenUserView;

  @Field({ type: TokenSpaceView })
  space: TokenSpaceView;
}
