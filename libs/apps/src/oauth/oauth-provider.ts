import { Injectable, Logger } from '@nestjs/common';
import { EgressClient } from '@tieline/egress';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { deriveKey, hashToken } from '@tieline/signing';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import { OAuthSettings } from '../apps.settings.js';
import { FIND_GRANT } from '../authorizations/authorizations.statements.js';
import { RevokeGrant } from '../authorizations/revoke-grant.js';
import { FIND_INSTALLED_CLIENT } from '../installations/installations.statements.js';
import { isClientSecret } from './client-secrets.js';
import { IssueTokens } from './issue-tokens.js';
import type { ProviderAnswer } from './issue-tokens.js';
import { fetchThrough } from './metadata-documents.js';
import { accessSecondsOf, providerOptions } from './provider-options.js';
import { recordRefusedRefresh } from './record-refused-refresh.js';
import { RevokeToken } from './revoke-token.js';
import { matchRedirectUris } from './match-redirect-uris.js';
import { prefixTokens } from './token-ids.js';

const KEY_USE = 'oauth-cookies';

/** A client that asks for a grant, as its metadata says. */
export interface ClientDescription {
  readonly name: string;
  readonly homepageUrl: string;
  readonly iconUrl: string;
}

/**
 * The OAuth 2.1 provider. It is loaded with the first request that needs it, so that a process
 * without such requests does not pay for it (docs/adr/0029-oauth-provider.md).
 */
@Injectable()
export class OAuthProvider {
  private readonly logger = new Logger('OAuth');
  private loading: Promise<Provider> | undefined;
  /** Why the token endpoint refused requests. */
  private readonly refusals = new WeakMap<object, string>();

  constructor(
    private readonly db: Db,
    private readonly settings: PlatformSettings,
    private readonly egress: EgressClient,
    private readonly revokeGrant: RevokeGrant,
    private readonly issueTokens: IssueTokens,
    private readonly revokeToken: RevokeToken,
    private readonly oauthSettings: OAuthSettings,
  ) {}

  /** Returns the provider. The first call loads it. */
  get(): Promise<Provider> {
    this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  /** Describes a client that is known by its metadata document. Returns undefined if it is gone. */
  async describe(clientId: string): Promise<ClientDescription | undefined> {
    const provider = await this.get();
    const client = await provider.Client.find(clientId).catch(() => undefined);
    if (!client) return undefined;
    const { clientName = clientId, clientUri = '', logoUri = '' } = client;
    return { name: clientName, homepageUrl: clientUri, iconUrl: logoUri };
  }

  private async load(): Promise<Provider> {
    const { Provider: OidcProvider, interactionPolicy, errors } = await import('oidc-provider');
    const { publicUrl, secretKey, secretKeysOld } = this.settings;
    const policy = interactionPolicy.base();
    const { Check } = interactionPolicy;
    policy.get('login')?.checks.clear();
    policy.get('consent')?.checks.clear();
    // Every request is answered by a person of the console. Nothing is remembered.
    policy
      .get('consent')
      ?.checks.add(
        new Check('not_answered', 'a person must answer', 'consent_required', ({ oidc }) =>
          oidc.result?.consent === undefined ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT,
        ),
      );
    const provider = new OidcProvider(
      publicUrl,
      providerOptions({
        db: this.db,
        revokeGrant: this.revokeGrant,
        takesRegistrations: this.oauthSettings.dynamicRegistration,
        reason: () =>
          OidcProvider.ctx?.oidc.route === 'revocation'
            ? 'the app revoked it'
            : 'a code or refresh token was used again',
        usedAgain: () => new errors.InvalidGrant('already used'),
        publicUrl,
        cookieKeys: [secretKey, ...secretKeysOld].map((key) =>
          deriveKey(key, KEY_USE).export().toString('base64url'),
        ),
        hasRefreshToken: (grantId) => this.hasRefreshToken(grantId),
        fetch: fetchThrough(this.egress),
        policy,
        isInstalled: async (clientId) => (await this.db.query(FIND_INSTALLED_CLIENT, [clientId])).length > 0,
      }),
    );
    provider.proxy = true;
    prefixTokens(provider);
    this.compareSecretsInDatabase(provider);
    matchRedirectUris(provider);
    provider.use((ctx, next) => this.complete(ctx as KoaContextWithOIDC, next));
    provider.on('grant.error', (ctx, error) =>
      this.refusals.set(ctx, error.error_detail ?? error.error_description ?? error.message),
    );
    provider.on('server_error', (_ctx, error: unknown) => this.logger.error({ err: error }, 'OAuth failed'));
    return provider;
  }

  private async hasRefreshToken(grantId: string): Promise<boolean> {
    const [grant] = await this.db.query(FIND_GRANT, [hashToken(grantId)]);
    return grant !== undefined && (grant.scopes.length > 0 || (grant.forBot && grant.tokenRotation));
  }

  private compareSecretsInDatabase(provider: Provider): void {
    const { db } = this;
    const prototype = provider.Client.prototype as unknown as { compareClientSecret: unknown };
    prototype.compareClientSecret = function compare(this: { clientId: string }, secret: string) {
      return isClientSecret(db, this.clientId, secret);
    };
  }

  /** Adds what the provider does not know to successful responses of the token endpoint. */
  private async complete(ctx: KoaContextWithOIDC, next: () => Promise<void>): Promise<void> {
    await next();
    const { route, entities, params } = ctx.oidc ?? {};
    if (ctx.status !== 200) return this.recordRefusal(ctx);
    if (route === 'revocation')
      await this.revokeToken.ofBot(String(params?.token ?? ''), ctx.ip, ctx.oidc.client?.clientId ?? '');
    if (route !== 'token') return;
    const grantId = entities?.AccessToken?.grantId;
    const answer =
      grantId === undefined
        ? undefined
        : await this.issueTokens.run(
            {
              grantId,
              isRefresh: params?.grant_type === 'refresh_token',
              accessSeconds: accessSecondsOf(ctx),
              ip: ctx.ip,
            },
            ctx.body as ProviderAnswer,
          );
    if (answer) {
      ctx.body = answer;
      return;
    }
    ctx.status = 400;
    ctx.body = { error: 'invalid_grant', error_description: 'grant request is invalid' };
    await this.recordRefusal(ctx);
  }

  private async recordRefusal(ctx: KoaContextWithOIDC): Promise<void> {
    const { route, params } = ctx.oidc ?? {};
    const token = params?.refresh_token;
    if (route !== 'token' || params?.grant_type !== 'refresh_token' || typeof token !== 'string') return;
    const reason = this.refusals.get(ctx) ?? 'grant revoked';
    await recordRefusedRefresh(this.db, { token, reason, ip: ctx.ip });
  }
}
