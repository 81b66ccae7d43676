import { OPERATOR_TOKEN, seedSpace } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { OAuthFixture, REDIRECT_URI, startAppsApi } from './testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

const app = { name: 'Deploys', redirect_uris: [REDIRECT_URI] };

test('an admin creates, reads, changes and deletes an app; its secrets are shown once', async () => {
  const created = await oauth.admin('POST', '/apps', { ...app, bot_scopes: ['messages:write'] });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    client_secret: expect.stringMatching(/^tlk_/),
    signing_secret: expect.stringMatching(/^whsec_/),
    app: { name: 'Deploys', bot_scopes: ['messages:write'], user_scopes: [], is_listed: false },
  });
  const { id } = created.body.app;
  const changed = await oauth.admin('PATCH', `/apps/${id}`, { description: 'Better' });
  expect(changed.body.app.description).toBe('Better');
  expect(JSON.stringify((await oauth.admin('GET', `/apps/${id}`)).body)).not.toMatch(
    /tlk_|whsec_|secret_hash/,
  );
  expect((await oauth.admin('GET', '/apps')).body.apps).toHaveLength(1);
  expect((await oauth.admin('DELETE', `/apps/${id}`)).status).toBe(200);
  expect((await oauth.admin('GET', `/apps/${id}`)).status).toBe(404);
  const { body: log } = await oauth.admin('GET', '/audit_log');
  const actions = log.entries.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(expect.arrayContaining(['app.created', 'app.updated', 'app.deleted']));
  expect(JSON.stringify(log)).not.toContain(created.body.client_secret);
});

test.each([
  [{ redirect_uris: [] }],
  [{ redirect_uris: ['http://app.example/'] }],
  [{ redirect_uris: Array.from({ length: 11 }, (_, n) => `https://app.example/${n}`) }],
  [{ redirect_uris: undefined }],
  [{ name: '' }],
  [{ name: 'x'.repeat(65) }],
  [{ name: 'two\nlines' }],
  [{ description: 'x'.repeat(501) }],
  [{ bot_scopes: ['everything'] }],
  [{ user_scopes: 'messages:read' }],
  [{ client_type: 'secret' }],
  [{ distribution: 'world' }],
  [{ event_url: 'https://10.0.0.1/' }],
  [{ homepage_url: 'javascript:alert(1)' }],
  [{ install_url: 'http://example.com/install' }],
])('%j is refused', async (settings) => {
  expect((await oauth.admin('POST', '/apps', { ...app, ...settings })).status).toBe(400);
});

test('apps of another space are unknown, and members may not manage apps', async () => {
  const { id } = await oauth.app();
  const stranger = await seedSpace(api.db);
  const member = await oauth.space.person('member');
  expect((await oauth.admin('GET', `/apps/${id}`, undefined, stranger.owner.token)).status).toBe(404);
  expect((await oauth.admin('DELETE', `/apps/${id}`, undefined, stranger.owner.token)).status).toBe(404);
  expect((await oauth.admin('GET', '/apps', undefined, member.token)).status).toBe(403);
});

test('a client secret rotates with an overlap', async () => {
  const old = await oauth.app();
  const { body } = await oauth.admin('POST', `/apps/${old.id}/rotate_client_secret`, { overlap_seconds: 60 });
  const rotated = { ...old, clientSecret: body.client_secret };
  for (const each of [old, rotated]) expect(await oauth.install(each)).toHaveProperty('access_token');
  await oauth.admin('POST', `/apps/${old.id}/rotate_client_secret`);
  const { status, body: error } = await oauth.exchange(rotated, await oauth.code(rotated));
  expect([status, error.error]).toEqual([401, 'invalid_client']);
});

test('a public client has no secret and needs none', async () => {
  const { body } = await oauth.admin('POST', '/apps', {
    ...app,
    user_scopes: ['messages:read'],
    client_type: 'public',
  });
  expect(body).not.toHaveProperty('client_secret');
  const { id, client_id: clientId } = body.app;
  expect((await oauth.admin('POST', `/apps/${id}/rotate_client_secret`)).body.code).toBe('public_client');
  expect(await oauth.install({ id, clientId, clientSecret: '', scope: 'messages:read' })).toHaveProperty(
    'access_token',
  );
});

test('the operator lists an app; other spaces then see and install it', async () => {
  const listed = await oauth.app({ distribution: 'listed' });
  const own = await oauth.app();
  const stranger = await seedSpace(api.db);
  const operator = (method: string, path: string, body?: unknown) =>
    api.call(method, `/api/v1/operator/apps${path}`, { token: OPERATOR_TOKEN, body });
  const directory = async () =>
    (await oauth.person('GET', '/apps?limit=200', stranger.owner.token)).body.apps.map(
      ({ id }: { id: string }) => id,
    );
  expect(await directory()).not.toContain(listed.id);
  const flow = await oauth.start(listed);
  expect((await oauth.approve(flow, stranger.owner.token)).body.code).toBe('app_not_available');
  expect((await operator('GET', '')).body.apps.map(({ id }: { id: string }) => id)).toContain(listed.id);
  expect((await operator('PATCH', `/${own.id}`, { listed: true })).status).toBe(404);
  expect((await operator('PATCH', `/${listed.id}`, { listed: true })).body.app.is_listed).toBe(true);
  expect(await directory()).toContain(listed.id);
  expect(await directory()).not.toContain(own.id);
  const { space } = await oauth.install(listed, stranger.owner.token);
  expect(space.id).toBe(stranger.spaceId);
  const [entry] = (await oauth.person('GET', '/apps', stranger.owner.token)).body.apps;
  const owner = (await oauth.admin('GET', '/space')).body.space.name;
  expect(entry).toMatchObject({ id: listed.id, owner, installed: true });
});

test('deleting an app uninstalls it in every space', async () => {
  const listed = await oauth.app({ distribution: 'listed' });
  await api.call('PATCH', `/api/v1/operator/apps/${listed.id}`, {
    token: OPERATOR_TOKEN,
    body: { listed: true },
  });
  const stranger = await seedSpace(api.db);
  const tokens = [await oauth.install(listed), await oauth.install(listed, stranger.owner.token)];
  await oauth.admin('DELETE', `/apps/${listed.id}`);
  for (const { bot, access_token } of tokens) {
    expect(await oauth.asBot(bot.token)).toBe(401);
    expect(await oauth.asPerson(access_token)).toBe(401);
  }
});

test('a bot in another space receives the events that the bot in the space of the app does', async () => {
  const own = await oauth.app({ bot_scopes: ['events'], distribution: 'listed' });
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [own.id]);
  const { bot } = await oauth.install(own);
  await oauth.admin('PATCH', `/bots/${bot.id}`, { event_types: ['REACTION_ADDED'] });
  const elsewhere = await OAuthFixture.of(api);
  const { bot: other } = await elsewhere.install(own, elsewhere.space.owner.token);
  const typesOf = async () => (await elsewhere.admin('GET', `/bots/${other.id}`)).body.bot.event_types;
  expect(await typesOf()).toEqual(['REACTION_ADDED']);
  // What an admin of that space chose stays when the app is installed again.
  await elsewhere.admin('PATCH', `/bots/${other.id}`, { event_types: [] });
  await elsewhere.install(own, elsewhere.space.owner.token);
  expect(await typesOf()).toEqual([]);
});
