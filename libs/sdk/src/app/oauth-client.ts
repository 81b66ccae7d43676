import type { InstalledSpace } from './token-stores.js';

/** A response of the token endpoint (docs/oauth.md#token). */
export interface TokenResponse {
  access_token: string;
  scope: string;
  expires_in?: number;
  refresh_token?: string;
  bot?: { id: string; token?: string; scope: string; expires_in?: number };
  space: { id: string; name: string };
}

/** A refused request for tokens. */
export class OAuthError extends Error {
  /** @param code `error` of RFC 6749, such as `invalid_grant`; empty if the response has none */
  constructor(
    readonly code: string,
    readonly status: number,
    description: string,
  ) {
    super(`${code || `the token endpoint responded ${status}`}${description && `: ${description}`}`);
    this.name = 'OAuthError';
  }
}

export interface OAuthClientSettings {
  /** Address of Tieline, its issuer. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
}

const TIMEOUT_MS = 30_000;

/** The app's side of OAuth: authorization code with PKCE, and refresh (docs/oauth.md). */
export class OAuthClient {
  constructor(private readonly settings: OAuthClientSettings) {}

  /** Returns a new `state`. */
  newState(): string {
    return base64url(crypto.getRandomValues(new Uint8Array(32)));
  }

  /** Returns the address that the browser is sent to. */
  async authorizeAddress(state: string): Promise<string> {
    const { url, clientId, redirectUri, scopes } = this.settings;
    const verifier = new TextEncoder().encode(await this.verifierOf(state));
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', verifier))),
      code_challenge_method: 'S256',
    });
    return `${url}/oauth/authorize?${query}`;
  }

  /** Exchanges a code. @throws OAuthError */
  async exchange(code: string, state: string): Promise<TokenResponse> {
    const { redirectUri } = this.settings;
    const verifier = await this.verifierOf(state);
    return this.token({
      ...{ grant_type: 'authorization_code', code, code_verifier: verifier },
      redirect_uri: redirectUri,
    });
  }

  /** @throws OAuthError; `invalid_grant` if the grant is revoked */
  refresh(refreshToken: string): Promise<TokenResponse> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  private async token(parameters: Record<string, string>): Promise<TokenResponse> {
    const { url, clientId, clientSecret } = this.settings;
    const body = new URLSearchParams({ ...parameters, client_id: clientId, client_secret: clientSecret });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${url}/oauth/token`, { method: 'POST', body, signal, redirect: 'error' });
    const answer = (await response.json().catch(() => ({}))) as TokenResponse & Record<string, unknown>;
    if (response.ok) return answer;
    const { error, error_description: description } = answer;
    throw new OAuthError(textOf(error), response.status, textOf(description));
  }

  /**
   * The verifier of PKCE. It is derived from the state by the client secret, so that nothing has to
   * be stored between the two requests, and the browser never sees it.
   */
  private async verifierOf(state: string): Promise<string> {
    const bytes = new TextEncoder();
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const secret = bytes.encode(this.settings.clientSecret);
    const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
    return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode(`pkce:${state}`))));
  }
}

/** Returns what to store of a response, or undefined if it has no token of a bot. */
export function installedSpaceOf({
  bot,
  space,
  refresh_token: refreshToken,
}: TokenResponse): InstalledSpace | undefined {
  if (bot?.token === undefined) return undefined;
  const expires = bot.expires_in === undefined ? {} : { expiresAt: Date.now() + bot.expires_in * 1000 };
  return {
    ...{ spaceId: space.id, spaceName: space.name, botId: bot.id, token: bot.token },
    ...expires,
    ...(refreshToken !== undefined && { refreshToken }),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
