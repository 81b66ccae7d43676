import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ServerResponse } from 'node:http';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { ISSUER, OAuthFixture, REDIRECT_URI, startAppsApi } from '@tieline/apps/testing';
import type { OAuthAnswer, SeededApp } from '@tieline/apps/testing';
import { InstallProvider } from '@slack/oauth';
import type { Installation } from '@slack/oauth';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, mayIdle } from '@tieline/testing';
import { slackId } from '../ids/slack-ids.js';
import { SlackSurfaceModule } from '../slack-surface.module.js';

let api: TestApi;
let oauth: OAuthFixture;
let app: SeededApp;
beforeAll(async () => {
  api = await startAppsApi({}, [SlackSurfaceModule]);
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
  app = await oauth.app({ bot_scopes: ['messages:write', 'runs', 'events', 'conversations:read'] });
});
afterAll(() => api?.close());

type Form = Record<string, string>;

/** Calls a method with a form. */
async function call(method: string, form: Form = {}, headers: Form = {}): Promise<any> {
  const { status, body, headers: answered } = await oauth.send(`/slack/api/${method}`, { form, headers });
  return { ...body, status, retryAfter: answered.get('retry-after') };
}

const ASKED = { scope: 'chat:write,channels:read', state: 'the state' };

function authorize(more: Form = {}, of = app): Promise<OAuthAnswer> {
  const query = new URLSearchParams({
    ...ASKED,
    client_id: of.clientId,
    redirect_uri: REDIRECT_URI,
    ...more,
  });
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return oauth.send(`/slack/oauth/v2/authorize?${query}`);
}

/** Lets a person agree in a browser. Returns the address that the app is called at. */
async function browse({ location: first }: OAuthAnswer, person?: string): Promise<URL> {
  const { location, cookies, body } = await oauth.send(`${first?.pathname}${first?.search}`);
  const uid = location?.searchParams.get('uid');
  if (!uid) throw new Error(`not asked: ${location?.href} ${body}`);
  const approved = await oauth.approve({ uid }, person);
  if (approved.status !== 200) throw new Error(JSON.stringify(approved.body));
  const { location: callback } = await oauth.resume(approved.body.redirect_to, cookies);
  if (callback?.searchParams.get('code') == null) throw new Error(`${callback?.href}`);
  return callback;
}

const codeOf = async (more: Form = {}, of = app): Promise<string> =>
  (await browse(await authorize(more, of))).searchParams.get('code') ?? '';

const access = (form: Form, of = app): Promise<any> =>
  call('oauth.v2.access', { client_id: of.clientId, client_secret: of.clientSecret, ...form });

const isUsable = async (token: string): Promise<boolean> =>
  (await call('auth.test', {}, { authorization: `Bearer ${token}` })).ok;

describe('@slack/oauth', () => {
  const stored = new Map<string, Installation>();

  const installer = (settings: object = {}): InstallProvider =>
    new InstallProvider({
      clientId: app.clientId,
      clientSecret: app.clientSecret,
      stateSecret: 'a secret of the app',
      authorizationUrl: `${ISSUER}/slack/oauth/v2/authorize`,
      clientOptions: { slackApiUrl: `${api.url}/slack/api/` },
      installUrlOptions: { scopes: ['chat:write', 'channels:read'], redirectUri: REDIRECT_URI, ...settings },
      directInstall: true,
      installationStore: {
        storeInstallation: async (installation) => void stored.set(installation.team?.id ?? '', installation),
        fetchInstallation: async ({ teamId }) => stored.get(teamId ?? '') as Installation<'v2', false>,
        deleteInstallation: async ({ teamId }) => void stored.delete(teamId ?? ''),
      },
      logger: {
        debug,
        error: debug,
        getLevel: () => 'error' as never,
        info: debug,
        setLevel: debug,
        setName: debug,
        warn: debug,
      },
    });

  /** Installs as a browser does. Returns what the app stores. */
  async function install(provider: InstallProvider, isState = true): Promise<Installation> {
    const first = exchange('/install', '');
    await provider.handleInstallPath(first.request, first.response);
    const address = new URL(String(first.response.getHeader('location')));
    const cookie = String([first.response.getHeader('set-cookie')].flat()[0]).split(';')[0] ?? '';
    const callback = await browse(await oauth.send(`${address.pathname}${address.search}`));
    expect(callback.href.startsWith(REDIRECT_URI)).toBe(true);
    const last = exchange(`/callback${callback.search}`, isState ? cookie : '');
    return new Promise((resolve, reject) => {
      void provider.handleCallback(last.request, last.response, {
        success: (installation) => resolve(installation),
        failure: (error) => reject(new Error(error.code)),
      });
    });
  }

  test('installs an app: state, callback, auth.test', async () => {
    const provider = installer({ userScopes: ['channels:history', 'channels:read'] });
    const team = { id: slackId('space', oauth.space.spaceId), name: 'Acme' };
    const installation = await install(provider);
    expect(installation).toMatchObject({
      team,
      appId: slackId('app', app.id),
      tokenType: 'bot',
      isEnterpriseInstall: false,
      bot: {
        token: expect.stringMatching(/^xoxb-/),
        userId: expect.stringMatching(/^U/),
        id: expect.stringMatching(/^B/),
      },
      user: { id: slackId('user', oauth.space.owner.id), token: expect.stringMatching(/^xoxp-/) },
    });
    expect(installation.bot?.scopes).toEqual(expect.arrayContaining(['chat:write', 'channels:read']));
    expect(installation.bot).not.toHaveProperty('refreshToken');
    expect(await isUsable(installation.bot?.token ?? '')).toBe(true);
    expect(await isUsable(installation.user.token ?? '')).toBe(true);
    const first = installation.user.token;
    expire(installation.user);
    const authorized = await provider.authorize({
      teamId: team.id,
      enterpriseId: undefined,
      isEnterpriseInstall: false,
    });
    expect(authorized.botToken).toBe(installation.bot?.token);
    expect(authorized.userToken).not.toBe(first);
    expect(await isUsable(authorized.userToken ?? '')).toBe(true);
  });

  /** Lets Slack's client refresh a token: it does so two hours before the token expires. */
  function expire(token: { expiresAt?: number } | undefined): void {
    const left = (token?.expiresAt ?? 0) - Date.now() / 1000;
    expect(left).toBeGreaterThan(11.9 * 3600);
    if (token) token.expiresAt = Math.floor(Date.now() / 1000) + 60;
  }

  test('a callback in another browser is refused by its state', async () => {
    await expect(install(installer(), false)).rejects.toThrow('slack_oauth_invalid_state');
  });

  test('rotating tokens are refreshed', async () => {
    app = await oauth.app({ bot_scopes: ['messages:write', 'runs'], user_scopes: [], token_rotation: true });
    const provider = installer();
    const { bot } = await install(provider);
    expect(bot?.refreshToken).toMatch(/^xoxe-/);
    const source = {
      teamId: slackId('space', oauth.space.spaceId),
      enterpriseId: undefined,
      isEnterpriseInstall: false as const,
    };
    const first = bot?.token;
    expect((await provider.authorize(source)).botToken).toBe(first);
    for (let n = 0; n < 2; n += 1) {
      expire(bot);
      // As when several events arrive: each refreshes.
      const answers = await overlapping(() => [1, 2, 3].map(() => provider.authorize(source)));
      const tokens = new Set(answers.map(({ botToken }) => botToken));
      expect([tokens.size, tokens.has(first)]).toEqual([1, false]);
      expect(await isUsable([...tokens][0] ?? '')).toBe(true);
    }
  });
});

/** Sends refreshes, none of which is answered before all have reached the server. */
async function overlapping<T>(send: () => Promise<T>[]): Promise<T[]> {
  let arrived = 0;
  // Whole, because a body may follow its headers late on a busy machine.
  const count = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    if (request.url === '/slack/api/oauth.v2.access') request.once('end', () => (arrived += 1));
  };
  subscribe('http.server.request.start', count);
  const holder = await api.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('LOCK TABLE oauth_records');
    const answers = send();
    await eventually(() => arrived === answers.length);
    // Those before it are looking for their tokens by the time that this one is refused.
    expect((await access({ code: 'a', client_id: 'unknown' })).error).toBe('invalid_client_id');
    await holder.query('COMMIT');
    return await Promise.all(answers);
  } finally {
    unsubscribe('http.server.request.start', count);
    await holder.query('ROLLBACK');
    holder.release();
  }
}

const debug = (): undefined => undefined;

function exchange(url: string, cookie: string): { request: IncomingMessage; response: ServerResponse } {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url, headers: { host: 'app.example', cookie } });
  return { request, response: new ServerResponse(request) };
}

describe('authorize', () => {
  test('asks for the scopes of Slack in our words', async () => {
    const { location } = await authorize({ user_scope: 'channels:history' });
    const query = Object.fromEntries(location?.searchParams ?? []);
    expect([location?.origin, location?.pathname]).toEqual([ISSUER, '/oauth/authorize']);
    expect(query).toMatchObject({
      bot_scope: 'messages:write runs conversations:read events interactive',
      user_scope: 'messages:read events',
      scope: 'messages:write runs conversations:read events interactive messages:read',
      state: 'the state',
      redirect_uri: REDIRECT_URI,
      code_challenge_method: 'S256',
    });
  });

  test('without a redirect URI the first one of the app is used, by both endpoints', async () => {
    const callback = await browse(await authorize({ redirect_uri: '' }));
    expect(callback.href.startsWith(REDIRECT_URI)).toBe(true);
    expect((await access({ code: callback.searchParams.get('code') ?? '' })).ok).toBe(true);
  });

  test('returns state and an error when the person refuses', async () => {
    const { location: first } = await authorize();
    const { location, cookies } = await oauth.send(`${first?.pathname}${first?.search}`);
    const { body } = await oauth.person(
      'POST',
      `/oauth/interactions/${location?.searchParams.get('uid')}/deny`,
    );
    const { location: callback } = await oauth.resume(body.redirect_to, cookies);
    expect(Object.fromEntries(callback?.searchParams ?? [])).toMatchObject({
      error: 'access_denied',
      state: 'the state',
    });
  });

  test.each([
    ['a foreign redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer path', { redirect_uri: `${REDIRECT_URI}/more` }],
    ['an unknown client', { client_id: 'unknown' }],
  ])('%s ends at an error page, without a redirect', async (_, more) => {
    const { location: first } = await authorize(more);
    const { status, location } = await oauth.send(`${first?.pathname}${first?.search}`);
    expect([status, location]).toEqual([400, undefined]);
  });

  test('a public app needs PKCE of its own', async () => {
    const open = await oauth.app({ client_type: 'public' });
    const { location: first } = await authorize({}, open);
    expect(first?.searchParams.has('code_challenge')).toBe(false);
    const { location } = await oauth.send(`${first?.pathname}${first?.search}`);
    expect(location?.searchParams.get('error')).toBe('invalid_request');
  });
});

describe('oauth.v2.access', () => {
  test('answers as Slack does', async () => {
    expect(await access({ code: await codeOf() })).toEqual({
      ok: true,
      status: 200,
      retryAfter: null,
      access_token: expect.stringMatching(/^xoxb-/),
      token_type: 'bot',
      scope: expect.stringContaining('chat:write'),
      bot_user_id: expect.stringMatching(/^U/),
      app_id: slackId('app', app.id),
      team: { id: slackId('space', oauth.space.spaceId), name: 'Acme' },
      enterprise: null,
      is_enterprise_install: false,
      authed_user: { id: slackId('user', oauth.space.owner.id) },
    });
  });

  test('takes the credentials from a Basic header, as slack_sdk sends them', async () => {
    const credentials = Buffer.from(`${app.clientId}:${app.clientSecret}`).toString('base64');
    const form = { code: await codeOf(), redirect_uri: REDIRECT_URI };
    expect((await call('oauth.v2.access', form, { authorization: `Basic ${credentials}` })).ok).toBe(true);
  });

  test('a code that is used again revokes what it gave', async () => {
    const code = await codeOf();
    const first = await access({ code });
    expect(await isUsable(first.access_token)).toBe(true);
    expect((await access({ code })).error).toBe('invalid_code');
    expect(await isUsable(first.access_token)).toBe(false);
  });

  test('of concurrent exchanges none leaves two tokens', async () => {
    const code = await codeOf();
    const answers = await Promise.all([1, 2, 3].map(() => access({ code })));
    expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1);
    for (const { ok, access_token } of answers) if (ok) expect(await isUsable(access_token)).toBe(false);
  });

  test.each<[string, (code: string) => Promise<any>, string]>([
    [
      'a wrong secret',
      (code) => access({ code, client_secret: `tlk_${'x'.repeat(43)}` }),
      'bad_client_secret',
    ],
    ['no secret', (code) => access({ code, client_secret: '' }), 'bad_client_secret'],
    ['an unknown client', (code) => access({ code, client_id: 'unknown' }), 'invalid_client_id'],
    [
      'another redirect URI',
      (code) => access({ code, redirect_uri: 'https://evil.example/callback' }),
      'bad_redirect_uri',
    ],
    ['a wrong verifier', (code) => access({ code, code_verifier: 'x'.repeat(43) }), 'invalid_code'],
    ['a code that was never given', () => access({ code: 'guess' }), 'invalid_code'],
    ['no code', () => access({}), 'invalid_arguments'],
    [
      'an unknown refresh token',
      () => access({ grant_type: 'refresh_token', refresh_token: 'xoxe-guess' }),
      'invalid_refresh_token',
    ],
    ['another grant', () => access({ grant_type: 'client_credentials' }), 'invalid_grant_type'],
  ])('%s is refused and leaves the code usable', async (_, attempt, error) => {
    const code = await codeOf();
    expect(await attempt(code)).toMatchObject({ ok: false, error, status: 200 });
    expect((await access({ code })).ok).toBe(true);
  });

  test('the code of another registered redirect URI is refused', async () => {
    const other = `${REDIRECT_URI}/second`;
    app = await oauth.app({ redirect_uris: [REDIRECT_URI, other] });
    const code = await codeOf({ redirect_uri: other });
    expect((await access({ code })).error).toBe('invalid_code');
    expect((await access({ code, redirect_uri: other })).ok).toBe(true);
  });

  test('a code belongs to its client', async () => {
    const other = await oauth.app();
    expect((await access({ code: await codeOf() }, other)).error).toBe('invalid_code');
  });

  test('codes of one endpoint are worthless at the other', async () => {
    const own = await oauth.code(app);
    expect((await access({ code: own.code, redirect_uri: REDIRECT_URI })).error).toBe('invalid_code');
    const answer = await oauth.token(app, {
      grant_type: 'authorization_code',
      code: await codeOf(),
      redirect_uri: REDIRECT_URI,
    });
    expect(answer.body.error).toBe('invalid_grant');
  });

  test('an app that sends PKCE itself needs its verifier', async () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const code = await codeOf({ code_challenge: challenge, code_challenge_method: 'S256' });
    expect((await access({ code })).error).toBe('invalid_code');
    expect((await access({ code, code_verifier: verifier })).ok).toBe(true);
  });

  test('an app of another space that is not listed cannot be installed', async () => {
    const first = await authorize();
    const { location } = await oauth.send(`${first.location?.pathname}${first.location?.search}`);
    const stranger = (await OAuthFixture.of(api)).space.owner.token;
    const uid = location?.searchParams.get('uid') ?? '';
    expect((await oauth.approve({ uid }, stranger)).status).toBe(403);
  });

  test('an uninstalled app keeps no token and no code', async () => {
    const answer = await access({ code: await codeOf({ user_scope: 'channels:history' }) });
    const code = await codeOf();
    const [{ id }] = (await oauth.admin('GET', '/installations')).body.installations;
    await oauth.admin('DELETE', `/installations/${id}`);
    expect(await isUsable(answer.access_token)).toBe(false);
    expect(await isUsable(answer.authed_user.access_token)).toBe(false);
    expect((await access({ code })).error).toBe('invalid_code');
    const refresh = { grant_type: 'refresh_token', refresh_token: answer.authed_user.refresh_token };
    expect((await access(refresh)).error).toBe('invalid_refresh_token');
  });

  test('an app that is switched off is unknown', async () => {
    const code = await codeOf();
    await oauth.admin('PATCH', `/apps/${app.id}`, { is_active: false });
    expect((await access({ code })).error).toBe('invalid_client_id');
  });

  test('a refresh token that is used again revokes the family', async () => {
    const { authed_user: person } = await access({ code: await codeOf({ user_scope: 'channels:read' }) });
    const refresh = (refresh_token: string) => access({ grant_type: 'refresh_token', refresh_token });
    const second = await refresh(person.refresh_token);
    expect(second).toMatchObject({
      ok: true,
      token_type: 'user',
      expires_in: 43200,
      authed_user: { id: person.id },
    });
    expect((await refresh(person.refresh_token)).error).toBe('invalid_refresh_token');
    expect(await isUsable(second.access_token)).toBe(false);
  });

  test('an address that fails too often waits, but not with the right secret', async () => {
    const limited = await startAppsApi({ RATE_OAUTH_PER_MINUTE: '2' }, [SlackSurfaceModule]);
    try {
      oauth = await OAuthFixture.of(limited);
      app = await oauth.app();
      const wrong = { code: 'guess', client_secret: 'wrong' };
      const statuses = [];
      for (let n = 0; n < 3; n += 1) statuses.push((await access(wrong)).status);
      expect(statuses).toEqual([200, 200, 429]);
      expect(await access(wrong)).toMatchObject({
        error: 'ratelimited',
        retryAfter: expect.stringMatching(/^\d+$/),
      });
      expect((await access({ code: 'guess' })).error).toBe('invalid_code');
    } finally {
      await limited.close();
    }
  });
});

describe('auth', () => {
  const as = (token: string, method: string, form: Form = {}) =>
    call(method, form, { authorization: `Bearer ${token}` });

  test('revoke ends the token of the call', async () => {
    const answer = await access({ code: await codeOf({ user_scope: 'channels:read' }) });
    expect(await as(answer.access_token, 'auth.revoke', { test: '1' })).toMatchObject({
      ok: true,
      revoked: false,
    });
    expect(await as(answer.access_token, 'auth.revoke')).toMatchObject({ ok: true, revoked: true });
    expect(await isUsable(answer.access_token)).toBe(false);
    expect(await isUsable(answer.authed_user.access_token)).toBe(true);
    expect(await as(answer.authed_user.access_token, 'auth.revoke')).toMatchObject({ revoked: true });
    expect(await isUsable(answer.authed_user.access_token)).toBe(false);
    const refresh = { grant_type: 'refresh_token', refresh_token: answer.authed_user.refresh_token };
    expect((await access(refresh)).error).toBe('invalid_refresh_token');
  });

  test("a person's own token is not revoked", async () => {
    expect((await as(oauth.space.owner.token, 'auth.revoke')).error).toBe('not_allowed_token_type');
    expect(await oauth.asPerson(oauth.space.owner.token)).toBe(200);
  });

  test('teams.list names the space of the token', async () => {
    const { access_token } = await access({ code: await codeOf() });
    expect((await as(access_token, 'auth.teams.list')).teams).toEqual([
      { id: slackId('space', oauth.space.spaceId), name: 'Acme' },
    ]);
  });
});
