import type { IncomingHttpHeaders } from 'node:http';
import { Injectable } from '@nestjs/common';
import { PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { Failures } from '@tieline/platform/http';
import { hashToken } from '@tieline/signing';
import { OAuthSettings } from '../apps.settings.js';
import { basicCredentials } from './basic-credentials.js';
import { OAuthProvider } from './oauth-provider.js';
import { errorPageOf } from './error-page.js';
import { withEveryScope } from './every-scope.js';
import { AUTHORIZE_PATH } from './paths.js';
import { ACCESS_SECONDS_HEADER, RESUME_COOKIE } from './provider-options.js';
import { FIND_RECORD } from './records.statements.js';

const MAX_QUERY = 8192;

/** A request for the provider. */
export interface OAuthRequest {
  method: 'GET' | 'POST';
  path: string;
  /** With its question mark; empty without a query. */
  search: string;
  headers: IncomingHttpHeaders;
  body?: Buffer | undefined;
  /** Address of the client. */
  address: string;
  /** How long access tokens are valid; an hour if it is absent. */
  accessSeconds?: number;
}

/** A response for the client. */
export interface OAuthResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: string;
}

/**
 * Hands requests to the provider, which sees only what it needs. It never sees the client's Host
 * header, so that every address in its responses is that of PUBLIC_URL.
 */
@Injectable()
export class OAuthExchange {
  private readonly own: URL;
  private readonly failed: Failures;

  constructor(
    private readonly provider: OAuthProvider,
    private readonly db: Db,
    settings: PlatformSettings,
    oauth: OAuthSettings,
  ) {
    this.own = new URL(settings.publicUrl);
    this.failed = new Failures(oauth.startedPerMinute);
  }

  /**
   * Returns the provider's response.
   * @throws 429 for a wrong client secret after too many of them. A correct one is never refused,
   * however often its address has failed
   */
  async run(request: OAuthRequest): Promise<OAuthResponse> {
    const response = await this.answer(request);
    if (response.status === 401) {
      this.failed.requireFew(request.address);
      this.failed.add(request.address);
    }
    return response;
  }

  private async answer(request: OAuthRequest): Promise<OAuthResponse> {
    const refused = await this.refusalOf(request);
    if (refused) return refused;
    const body = bodyOf(request);
    if (body === undefined) return oauthError('invalid_client', 'client authentication failed', 401);
    const [provider, { default: inject }] = await Promise.all([
      this.provider.get(),
      import('light-my-request'),
    ]);
    const search = request.path === AUTHORIZE_PATH ? withEveryScope(request.search) : request.search;
    const { statusCode, headers, payload } = await inject(provider.callback(), {
      method: request.method,
      url: `${this.own.pathname.replace(/\/$/, '')}${request.path}${search}`,
      headers: this.headersFor(request),
      remoteAddress: request.address,
      ...(request.method === 'POST' && { payload: body }),
    });
    return statusCode >= 400 && request.method === 'POST'
      ? shownError(statusCode, payload)
      : { status: statusCode, headers: shownHeaders(headers, payload), body: payload };
  }

  private headersFor({ method, headers, address, accessSeconds }: OAuthRequest): Record<string, string> {
    const cookie = resumeCookies(headers.cookie).join('; ');
    return {
      host: this.own.host,
      'x-forwarded-host': this.own.host,
      'x-forwarded-proto': this.own.protocol.slice(0, -1),
      'x-forwarded-for': address,
      accept: method === 'GET' ? 'text/html' : 'application/json',
      ...(accessSeconds !== undefined && { [ACCESS_SECONDS_HEADER]: String(accessSeconds) }),
      ...(cookie !== '' && { cookie }),
      ...(method === 'POST' && { 'content-type': headers['content-type'] ?? '' }),
    };
  }

  private async refusalOf({
    method,
    path,
    search,
    headers,
  }: OAuthRequest): Promise<OAuthResponse | undefined> {
    if (method !== 'GET') return undefined;
    if (search.length > MAX_QUERY) return errorPage('invalid_request: the address is too long');
    const query = new URLSearchParams(search);
    if (path !== AUTHORIZE_PATH) {
      const uid = path.slice(AUTHORIZE_PATH.length + 1);
      const continues = beganHere(headers.cookie, uid) && (await this.isAnswered(uid, query.get('ticket')));
      return continues ? undefined : errorPage('invalid_request: this request was not approved here');
    }
    if (query.getAll('response_mode').some((mode) => mode !== 'query'))
      return errorPage('invalid_request: response_mode must be query');
    return query.getAll('resource').every((resource) => this.isOwn(resource))
      ? undefined
      : errorPage('invalid_target: resource is not of this server');
  }

  /**
   * Returns whether the person who answered continues. Someone who only began the request has no
   * ticket.
   */
  private async isAnswered(uid: string, ticket: string | null): Promise<boolean> {
    const [row] = await this.db.query(FIND_RECORD, [hashToken(uid), 'Interaction']);
    const result = row?.payload.result as { ticket?: string } | undefined;
    return result?.ticket !== undefined && result.ticket === hashToken(ticket ?? '').toString('hex');
  }

  private isOwn(resource: string): boolean {
    if (!URL.canParse(resource)) return false;
    const { origin, pathname, hash } = new URL(resource);
    const base = this.own.pathname.replace(/\/$/, '');
    return origin === this.own.origin && hash === '' && `${pathname}/`.startsWith(`${base}/`);
  }
}

/** An error in the shape of RFC 6749. */
function oauthError(error: string, description: string, status: number): OAuthResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      ...(status === 401 && { 'www-authenticate': 'Basic realm="Tieline", charset="UTF-8"' }),
    },
    body: JSON.stringify({ error, error_description: description }),
  };
}

/** An error of the provider, without details that are not part of the standard. */
function shownError(status: number, payload: string): OAuthResponse {
  const { error, error_description } = JSON.parse(payload) as Record<string, string>;
  return oauthError(error ?? 'server_error', error_description ?? '', status);
}

function errorPage(text: string): OAuthResponse {
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return { status: 400, headers, body: errorPageOf(text) };
}

/**
 * Returns the body with the credentials of a Basic header as parameters. Returns undefined if they
 * clash.
 */
function bodyOf({ method, headers, body }: OAuthRequest): Buffer | undefined {
  const given = body ?? Buffer.alloc(0);
  if (method === 'GET' || headers.authorization === undefined) return given;
  const credentials = basicCredentials(headers.authorization);
  const parameters = new URLSearchParams(given.toString('utf8'));
  if (!credentials || parameters.has('client_secret')) return undefined;
  const named = parameters.get('client_id');
  if (named !== null && named !== credentials.id) return undefined;
  parameters.set('client_id', credentials.id);
  parameters.set('client_secret', credentials.secret);
  return Buffer.from(parameters.toString());
}

/**
 * Returns whether this browser began the request: it has the cookie of this very request. The
 * provider itself would continue the request that the cookie names.
 */
function beganHere(header: string | undefined, uid: string): boolean {
  const cookies = resumeCookies(header).filter((cookie) => cookie.startsWith(`${RESUME_COOKIE}=`));
  return cookies.length === 1 && cookies[0] === `${RESUME_COOKIE}=${uid}`;
}

const resumeCookies = (header: string | undefined): string[] =>
  (header ?? '')
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie.startsWith(RESUME_COOKIE));

/** Headers of the provider that clients get: no cookies but the one that binds an interaction. */
function shownHeaders(headers: Record<string, unknown>, payload: string): Record<string, string | string[]> {
  const shown: Record<string, string | string[]> = {};
  for (const name of ['content-type', 'cache-control', 'location', 'www-authenticate', 'pragma']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') shown[name] = value;
  }
  if (payload === '') delete shown['content-type'];
  const cookies = [headers['set-cookie'] ?? []].flat().map(String);
  const kept = cookies.filter((cookie) => cookie.startsWith(RESUME_COOKIE));
  return kept.length === 0 ? shown : { ...shown, 'set-cookie': kept };
}
