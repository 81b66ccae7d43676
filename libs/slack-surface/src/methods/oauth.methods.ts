import { Injectable } from '@nestjs/common';
import { basicCredentials, findClient, isRegistered, OAuthExchange, TOKEN_PATH } from '@tieline/apps';
import type { App, OAuthResponse, TokenAnswer } from '@tieline/apps';
import { Db } from '@tieline/platform/database';
import { hashToken } from '@tieline/signing';
import { invalidArgument, SlackError } from '../dispatcher/slack-error.js';
import type { MethodGroup, PublicCall } from '../dispatcher/slack-method.js';
import { accessAnswer } from '../oauth/access-answer.js';
import { CodeVerifiers } from '../oauth/code-verifiers.js';
import { ownToken } from '../tokens/token-spellings.js';

type Form = Record<string, string>;

/** As in Slack. Its clients refresh tokens two hours before they expire. */
const ACCESS_SECONDS = 12 * 3600;

/** `oauth.*` (docs/slack-apps.md#install-an-app). */
@Injectable()
export class OAuthMethods implements MethodGroup {
  readonly methods: MethodGroup['methods'] = [
    { name: 'oauth.v2.access', isPublic: true, run: (call: PublicCall) => this.access(call) },
  ];

  /** Responses to refreshes in flight, by the hash of the form. */
  private readonly refreshing = new Map<string, Promise<OAuthResponse>>();

  constructor(
    private readonly db: Db,
    private readonly exchange: OAuthExchange,
    private readonly verifiers: CodeVerifiers,
  ) {}

  /** Gives tokens for a code or a refresh token, as the token endpoint does. */
  private async access({ given, authorization, address }: PublicCall): Promise<object> {
    const { id, secret } = credentialsIn(given, authorization);
    const app = await findClient(this.db, id);
    if (!app) throw new SlackError('invalid_client_id');
    const grantType = textIn(given, 'grant_type') || 'authorization_code';
    const isRefresh = grantType === 'refresh_token';
    if (!isRefresh && grantType !== 'authorization_code') throw new SlackError('invalid_grant_type');
    const form = {
      client_id: id,
      ...(secret !== '' && { client_secret: secret }),
      grant_type: grantType,
      ...(isRefresh ? refreshForm(given) : this.codeForm(given, app)),
    };
    const { status, body } = await this.send(new URLSearchParams(form).toString(), address, isRefresh);
    if (status === 401) throw new SlackError('bad_client_secret');
    if (status >= 500) throw new SlackError('internal_error');
    if (status !== 200) throw new SlackError(isRefresh ? 'invalid_refresh_token' : 'invalid_code');
    return accessAnswer(JSON.parse(body) as TokenAnswer, app.id, isRefresh);
  }

  /**
   * Sends a form to the token endpoint. Slack's clients refresh a token for each event that they
   * handle, so concurrent refreshes with the same form share one response. A second use would
   * revoke the grant.
   */
  private async send(form: string, address: string, isRefresh: boolean): Promise<OAuthResponse> {
    const key = isRefresh ? hashToken(form).toString('hex') : '';
    const known = this.refreshing.get(key);
    if (known) return known;
    const response = this.exchange.run({
      method: 'POST',
      path: TOKEN_PATH,
      search: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(form),
      address,
      accessSeconds: ACCESS_SECONDS,
    });
    if (!isRefresh) return response;
    this.refreshing.set(key, response);
    return response.finally(() => this.refreshing.delete(key));
  }

  private codeForm(given: PublicCall['given'], { clientId, clientType, redirectUris }: App): Form {
    const code = textIn(given, 'code');
    if (code === '') throw invalidArgument('missing required field: code');
    const redirectUri = textIn(given, 'redirect_uri') || (redirectUris[0] ?? '');
    if (!isRegistered(redirectUris, redirectUri)) throw new SlackError('bad_redirect_uri');
    // Without a secret, anyone with the code could use it: only the app itself knows its verifier.
    const derived = clientType === 'confidential' ? this.verifiers.of(clientId, redirectUri) : '';
    const verifier = textIn(given, 'code_verifier') || derived;
    return { code, redirect_uri: redirectUri, ...(verifier !== '' && { code_verifier: verifier }) };
  }
}

function refreshForm(given: PublicCall['given']): Form {
  const token = textIn(given, 'refresh_token');
  if (token === '') throw invalidArgument('missing required field: refresh_token');
  return { refresh_token: ownToken(token) };
}

/** Credentials in the arguments win over those of a Basic header. */
function credentialsIn(given: PublicCall['given'], authorization = ''): { id: string; secret: string } {
  const id = textIn(given, 'client_id');
  if (id !== '') return { id, secret: textIn(given, 'client_secret') };
  const credentials = basicCredentials(authorization);
  if (!credentials) throw new SlackError('invalid_client_id');
  return credentials;
}

const textIn = (given: PublicCall['given'], name: string): string =>
  typeof given[name] === 'string' ? given[name] : '';
