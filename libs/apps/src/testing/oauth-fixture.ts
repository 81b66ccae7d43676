import { createHash, randomBytes } from 'node:crypto';
import type { DynamicModule, Type } from '@nestjs/common';
import { CreateMessage } from '@tieline/conversations';
import { ChatFixture } from '@tieline/conversations/testing';
import { startBotsApi } from '@tieline/bots/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { AppsAdminModule, AppsModule } from '../apps.module.js';

export const REDIRECT_URI = 'https://app.example/callback';
/** Issuer of the tests, whatever the port of the server is. */
export const ISSUER = 'https://tieline.example';

/** Starts the API with apps on a new database. */
export const startAppsApi = (
  env: Record<string, string> = {},
  more: (Type | DynamicModule)[] = [],
): Promise<TestApi> =>
  startBotsApi({ PUBLIC_URL: ISSUER, RATE_OAUTH_PER_MINUTE: '10000', ...env }, [
    AppsModule,
    AppsAdminModule,
    ...more,
  ]);

/** An app of a test with its secrets. */
export interface SeededApp {
  id: string;
  clientId: string;
  clientSecret: string;
  /** Signs its events. */
  signingSecret?: string;
  /** Everything that it may ask for. */
  scope: string;
}

/** A response of an OAuth endpoint. */
export interface OAuthAnswer {
  status: number;
  location: URL | undefined;
  cookies: string;
  headers: Headers;
  body: any;
}

/** An authorization request that waits for a person. */
export interface StartedFlow {
  uid: string;
  /** The cookies of the browser that began it. */
  cookies: string;
  verifier: string;
}

/** Walks through OAuth as apps, browsers and people do. */
export class OAuthFixture {
  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
  ) {}

  static async of(api: TestApi): Promise<OAuthFixture> {
    return new OAuthFixture(api, await seedSpace(api.db));
  }

  /** Writes conversations of the space directly to the database. */
  get chat(): ChatFixture {
    return new ChatFixture(this.api.db, this.space.spaceId, this.api.app.get(CreateMessage));
  }

  /** Creates a public channel. Returns its id. */
  channel(): Promise<string> {
    return this.chat.conversation({});
  }

  admin(method: string, path: string, body?: unknown, token = this.space.owner.token): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token, body });
  }

  async app(settings: Record<string, unknown> = {}): Promise<SeededApp> {
    const { status, body } = await this.admin('POST', '/apps', {
      name: 'Deploys',
      redirect_uris: [REDIRECT_URI],
      bot_scopes: ['messages:write', 'conversations:read'],
      user_scopes: ['messages:read', 'conversations:read'],
      ...settings,
    });
    if (status !== 201) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const scope = [...new Set([...body.app.user_scopes, ...body.app.bot_scopes])].join(' ');
    return {
      id: body.app.id,
      clientId: body.app.client_id,
      clientSecret: body.client_secret,
      signingSecret: body.signing_secret,
      scope,
    };
  }

  /** Sends a request as a browser or an app does: without following redirects. */
  async send(
    path: string,
    {
      form,
      cookies,
      headers,
    }: { form?: Record<string, string>; cookies?: string; headers?: Record<string, string> } = {},
  ): Promise<OAuthAnswer> {
    const response = await fetch(`${this.api.url}${path}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      ...(form && { body: new URLSearchParams(form) }),
      headers: { ...(cookies && { cookie: cookies }), ...headers },
    });
    const text = await response.text();
    const location = response.headers.get('location');
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json');
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location),
      cookies: response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** Sends a browser to the authorization endpoint. */
  authorize(
    app: Pick<SeededApp, 'clientId' | 'scope'>,
    more: Record<string, string> = {},
  ): Promise<OAuthAnswer & { verifier: string }> {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: app.clientId,
      redirect_uri: REDIRECT_URI,
      response_type: 'code',
      scope: app.scope,
      state: 'the state',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...more,
    });
    for (const [name, value] of [...query]) if (value === '') query.delete(name);
    return this.send(`/oauth/authorize?${query}`).then((answer) => ({ ...answer, verifier }));
  }

  /** Like {@link authorize}. @throws Error if the person is not asked */
  async start(
    app: Pick<SeededApp, 'clientId' | 'scope'>,
    more: Record<string, string> = {},
  ): Promise<StartedFlow> {
    const { status, location, cookies, body, verifier } = await this.authorize(app, more);
    const uid = location?.searchParams.get('uid');
    if (!uid) throw new Error(`${status}: ${location?.href} ${JSON.stringify(body)}`);
    return { uid, cookies, verifier };
  }

  person(method: string, path: string, token = this.space.owner.token, body?: unknown): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/client${path}`, { token, body });
  }

  approve(
    { uid }: Pick<StartedFlow, 'uid'>,
    token = this.space.owner.token,
    body?: unknown,
  ): Promise<TestAnswer> {
    return this.person('POST', `/oauth/interactions/${uid}/approve`, token, body);
  }

  /** Continues in the browser where an answer sent it. */
  resume(redirectTo: string, cookies: string): Promise<OAuthAnswer> {
    const { pathname, search } = new URL(redirectTo);
    return this.send(`${pathname}${search}`, { cookies });
  }

  /** Lets a person agree. Returns the code. */
  async code(
    app: SeededApp,
    token?: string,
    more?: Record<string, string>,
  ): Promise<{ code: string; verifier: string }> {
    const flow = await this.start(app, more);
    const { status, body } = await this.approve(flow, token);
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    const { location } = await this.resume(body.redirect_to, flow.cookies);
    const code = location?.searchParams.get('code');
    if (!code) throw new Error(`no code in ${location?.href}`);
    return { code, verifier: flow.verifier };
  }

  token(app: SeededApp, form: Record<string, string>): Promise<OAuthAnswer> {
    const secret: Record<string, string> = app.clientSecret ? { client_secret: app.clientSecret } : {};
    return this.send('/oauth/token', { form: { client_id: app.clientId, ...secret, ...form } });
  }

  exchange(app: SeededApp, { code, verifier }: { code: string; verifier: string }): Promise<OAuthAnswer> {
    return this.token(app, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: REDIRECT_URI,
    });
  }

  refresh(app: SeededApp, refresh_token: string, more: Record<string, string> = {}): Promise<OAuthAnswer> {
    return this.token(app, { grant_type: 'refresh_token', refresh_token, ...more });
  }

  /** Installs an app as a person. Returns the response of the token endpoint. */
  async install(app: SeededApp, token?: string, more?: Record<string, string>): Promise<any> {
    const { status, body } = await this.exchange(app, await this.code(app, token, more));
    if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
    return body;
  }

  /** Returns the status of a request with a bot's token. */
  async asBot(token: string): Promise<number> {
    return (await this.api.call('GET', '/api/v1/bot/me', { token })).status;
  }

  /** Returns the status of a request with a person's token that needs `conversations:read`. */
  async asPerson(token: string): Promise<number> {
    return (await this.api.call('GET', '/api/v1/client/conversations', { token })).status;
  }
}
