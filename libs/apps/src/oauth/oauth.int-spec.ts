import type { TestApi } from '@tieline/spaces/testing';
import { eventually, mayIdle } from '@tieline/testing';
import { ISSUER, OAuthFixture, REDIRECT_URI, startAppsApi } from '../testing/oauth-fixture.js';

const WAITING = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

test('an admin installs an app: the app gets the token of its bot and of the admin', async () => {
  const app = await oauth.app();
  const flow = await oauth.start(app);
  const { body: asked } = await oauth.person('GET', `/oauth/interactions/${flow.uid}`);
  expect(asked.interaction).toMatchObject({
    app: { name: 'Deploys', owner: 'Acme', redirect_host: 'app.example' },
    outcome: 'install',
    is_installed: false,
  });
  expect(asked.interaction.user_scopes.map(({ name }: { name: string }) => name)).toEqual([
    'messages:read',
    'conversations:read',
  ]);
  const { body: approved } = await oauth.approve(flow);
  const { status, location } = await oauth.resume(approved.redirect_to, flow.cookies);
  expect(status).toBe(303);
  expect(`${location?.origin}${location?.pathname}`).toBe(REDIRECT_URI);
  expect(location?.searchParams.get('iss')).toBe(ISSUER);
  expect(location?.searchParams.get('state')).toBe('the state');
  const code = location?.searchParams.get('code') ?? '';
  const { body: tokens } = await oauth.exchange(app, { code, verifier: flow.verifier });
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^tla_[\w-]{43}$/),
    token_type: 'Bearer',
    scope: 'messages:read conversations:read',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^tlf_[\w-]{43}$/),
    bot: {
      id: expect.any(String),
      token: expect.stringMatching(/^tlb_/),
      scope: 'messages:write conversations:read',
    },
    space: { id: oauth.space.spaceId, name: 'Acme' },
    user: { id: oauth.space.owner.id },
  });
  expect(await oauth.asBot(tokens.bot.token)).toBe(200);
  expect(await oauth.asPerson(tokens.access_token)).toBe(200);
});

test('a token of a person allows its scopes only, and nothing to admins', async () => {
  const app = await oauth.app({ user_scopes: ['messages:read'], bot_scopes: [] });
  const { access_token: token } = await oauth.install(app);
  const refused = await api.call('GET', '/api/v1/client/conversations', { token });
  expect(refused.body).toMatchObject({
    code: 'insufficient_scope',
    required: 'conversations:read',
    granted: ['messages:read'],
  });
  expect((await oauth.admin('GET', '/apps', undefined, token)).status).toBe(403);
});

test('an app with bot scopes only gets the token of its bot, without expiry', async () => {
  const app = await oauth.app({ user_scopes: [], bot_scopes: ['messages:write'] });
  const tokens = await oauth.install(app);
  expect(tokens).toEqual({
    access_token: tokens.bot.token,
    token_type: 'Bearer',
    scope: 'messages:write',
    bot: { id: expect.any(String), token: expect.stringMatching(/^tlb_/), scope: 'messages:write' },
    space: expect.any(Object),
    user: { id: oauth.space.owner.id },
  });
  const refused = await api.call('GET', '/api/v1/bot/conversations', { token: tokens.access_token });
  expect(refused.body.code).toBe('insufficient_scope');
});

test('tokens of a bot rotate if the app wants that', async () => {
  const app = await oauth.app({ user_scopes: [], token_rotation: true });
  const first = await oauth.install(app);
  expect([first.expires_in, first.bot.expires_in]).toEqual([3600, 3600]);
  const { body: second } = await oauth.refresh(app, first.refresh_token);
  expect(second.access_token).toMatch(/^tlb_/);
  expect([await oauth.asBot(first.access_token), await oauth.asBot(second.access_token)]).toEqual([401, 200]);
  await api.db.query(
    `UPDATE bots SET token_expires_at = now() - interval '1 second' WHERE id = '${first.bot.id}'`,
  );
  expect(await oauth.asBot(second.access_token)).toBe(401);
});

test('a refresh token works once; its reuse revokes the family', async () => {
  const app = await oauth.app({ token_rotation: true });
  const first = await oauth.install(app);
  const second = await oauth.refresh(app, first.refresh_token);
  expect(second.status).toBe(200);
  const reused = await oauth.refresh(app, first.refresh_token);
  expect([reused.status, reused.body.error]).toEqual([400, 'invalid_grant']);
  expect((await oauth.refresh(app, second.body.refresh_token)).status).toBe(400);
  for (const token of [first.access_token, second.body.access_token])
    expect(await oauth.asPerson(token)).toBe(401);
  expect(await oauth.asBot(second.body.bot.token)).toBe(401);
});

/**
 * Sends two requests that use a code or token up at the same moment: both have read it as unused.
 */
async function race<T>(send: () => Promise<T>): Promise<T[]> {
  const holder = await api.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('SELECT 1 FROM oauth_records WHERE consumed_at IS NULL FOR UPDATE');
    const answers = Promise.all([send(), send()]);
    await eventually(async () => (await api.db.query(WAITING, [])).length >= 2);
    await holder.query('COMMIT');
    return await answers;
  } finally {
    // Closed, so that a failure releases the lock.
    holder.release(true);
  }
}

test('of two concurrent refreshes with one token at most one succeeds, and the family ends', async () => {
  const app = await oauth.app({ bot_scopes: [] });
  const { refresh_token } = await oauth.install(app);
  const answers = await race(() => oauth.refresh(app, refresh_token));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { status, body } of answers)
    if (status === 200) expect(await oauth.asPerson(body.access_token)).toBe(401);
});

test('of two concurrent exchanges of one code at most one succeeds, and what it gave is revoked', async () => {
  const app = await oauth.app();
  const code = await oauth.code(app);
  const answers = await race(() => oauth.exchange(app, code));
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  for (const { status, body } of answers)
    if (status === 200) {
      expect(await oauth.asPerson(body.access_token)).toBe(401);
      expect(await oauth.asBot(body.bot.token)).toBe(401);
    }
});

test('a code works once; its replay revokes what it gave', async () => {
  const app = await oauth.app();
  const code = await oauth.code(app);
  const first = await oauth.exchange(app, code);
  const replayed = await oauth.exchange(app, code);
  expect([first.status, replayed.status, replayed.body.error]).toEqual([200, 400, 'invalid_grant']);
  expect(await oauth.asPerson(first.body.access_token)).toBe(401);
  expect(await oauth.asBot(first.body.bot.token)).toBe(401);
  expect((await oauth.refresh(app, first.body.refresh_token)).status).toBe(400);
});

test('a refresh cannot add scopes, and may ask for fewer', async () => {
  const app = await oauth.app({ bot_scopes: [] });
  const { refresh_token } = await oauth.install(app, undefined, { scope: 'messages:read' });
  const more = await oauth.refresh(app, refresh_token, { scope: 'messages:read conversations:read' });
  expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
  const same = await oauth.refresh(app, refresh_token, { scope: 'messages:read' });
  expect(same.body.scope).toBe('messages:read');
});

test('tokens and codes are stored as hashes only', async () => {
  const app = await oauth.app();
  const { code, verifier } = await oauth.code(app);
  const { body } = await oauth.exchange(app, { code, verifier });
  const stored = JSON.stringify(
    await api.db.query('SELECT * FROM oauth_records, app_authorizations, apps, app_installations'),
  );
  for (const secret of [code, body.access_token, body.refresh_token, body.bot.token, app.clientSecret])
    expect(stored).not.toContain(secret);
});
