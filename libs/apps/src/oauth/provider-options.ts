import { generateKeyPairSync } from 'node:crypto';
import { SCOPES } from '@tieline/platform/http';
import type { Configuration, ErrorOut, interactionPolicy, KoaContextWithOIDC } from 'oidc-provider';
import { redirectUriProblem } from '../redirect-uri.js';
import { errorPageOf } from './error-page.js';
import { ACCESS_SECONDS, REFRESH_SECONDS } from './issue-tokens.js';
import { AUTHORIZE_PATH, CONSENT_PATH, REVOKE_PATH, TOKEN_PATH } from './paths.js';
import { RecordAdapter } from './record-adapter.js';
import type { RecordStore } from './record-adapter.js';

const CODE_SECONDS = 60;
/** How long a person may take to answer. */
export const INTERACTION_SECONDS = 900;
/** The only cookie that requests need: it binds an interaction to the browser that began it. */
export const RESUME_COOKIE = 'tieline_oauth_resume';
/** Header of our own requests to the provider. Those of clients are not forwarded. */
export const ACCESS_SECONDS_HEADER = 'x-access-seconds';

/** Returns how long access tokens of a request are valid. */
export const accessSecondsOf = (ctx: Pick<KoaContextWithOIDC, 'get'>): number =>
  Number(ctx.get(ACCESS_SECONDS_HEADER)) || ACCESS_SECONDS;

interface ClientDocument {
  clientAuthMethod?: string | undefined;
  redirectUris?: readonly string[] | undefined;
}

/** What the options of the provider need from this installation. */
export interface ProviderEnvironment extends RecordStore {
  readonly publicUrl: string;
  readonly cookieKeys: readonly string[];
  /** Returns whether the grant gives a refresh token. */
  readonly hasRefreshToken: (grantId: string) => Promise<boolean>;
  readonly fetch: (url: string | URL | Request, options?: RequestInit) => Promise<Response>;
  readonly policy: interactionPolicy.DefaultPolicy;
  /** Returns whether a client is installed in any space. */
  readonly isInstalled: (clientId: string) => Promise<boolean>;
}

/**
 * Returns the options of the provider: authorization code with PKCE and refresh tokens, no more.
 */
export function providerOptions(environment: ProviderEnvironment): Configuration {
  const { publicUrl, cookieKeys, hasRefreshToken, isInstalled, policy, fetch } = environment;
  // Beginning a request is limited per address. Other requests only come from known clients.
  const allowFetch = (ctx: KoaContextWithOIDC | undefined, clientId: string): boolean | Promise<boolean> =>
    !ctx || ['authorization', 'resume'].includes(ctx.oidc.route) || isInstalled(clientId);
  const off = { enabled: false } as const;
  return {
    adapter: (kind: string) => new RecordAdapter(kind, environment),
    clientAuthMethods: ['client_secret_post', 'none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      response_modes: ['query'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    claims: {},
    cookies: {
      keys: [...cookieKeys],
      names: {
        session: 'tieline_oauth_session',
        interaction: 'tieline_oauth_interaction',
        resume: RESUME_COOKIE,
      },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
      long: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    expiresWithSession: () => false,
    extraParams: ['bot_scope', 'user_scope'],
    features: {
      claimsParameter: off,
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02', allowFetch, allowClient },
      devInteractions: off,
      dPoP: off,
      introspection: off,
      pushedAuthorizationRequests: off,
      resourceIndicators: off,
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: off,
      userinfo: off,
    },
    fetch,
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy, url: (_ctx, { uid }) => `${publicUrl}${CONSENT_PATH}?uid=${uid}` },
    issueRefreshToken: (_ctx, client, { grantId }) =>
      client.grantTypeAllowed('refresh_token') && grantId !== undefined
        ? hasRefreshToken(grantId)
        : Promise.resolve(false),
    jwks: { keys: [unusedKey()] },
    pkce: { required: () => true },
    renderError,
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH, revocation: REVOKE_PATH },
    scopes: [...SCOPES],
    ttl: {
      AccessToken: (ctx) => accessSecondsOf(ctx),
      AuthorizationCode: CODE_SECONDS,
      Grant: REFRESH_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Session: INTERACTION_SECONDS,
    },
  };
}

/**
 * Clients that are known by their metadata document have no secret, and redirect URIs by our rules.
 */
function allowClient(_ctx: unknown, { clientAuthMethod, redirectUris = [] }: ClientDocument): boolean {
  return clientAuthMethod === 'none' && redirectUris.every((uri) => redirectUriProblem(uri) === undefined);
}

/** The provider starts only with a key for id tokens, which it never issues. */
function unusedKey(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'unused' };
}

/** Shows a person why a request cannot be sent back to the app. */
function renderError(ctx: KoaContextWithOIDC, { error, error_description }: ErrorOut): void {
  ctx.type = 'html';
  ctx.body = errorPageOf(`${error}: ${error_description ?? 'the request was refused'}`);
}
