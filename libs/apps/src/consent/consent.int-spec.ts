import { seedSpace } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { OAuthFixture, REDIRECT_URI, startAppsApi } from '../testing/oauth-fixture.js';

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi();
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

const requests = async () => (await oauth.admin('GET', '/app_requests')).body.app_requests;

test("a member's request goes to admins; once approved, the member connects the app", async () => {
  const app = await oauth.app();
  const member = await oauth.space.person('member');
  const flow = await oauth.start(app);
  const { body: answer } = await oauth.approve(flow, member.token);
  expect(answer.state).toBe('requested');
  const { location } = await oauth.resume(answer.redirect_to, flow.cookies);
  expect(location?.searchParams.get('error')).toBe('access_denied');
  const [request] = await requests();
  expect(request).toMatchObject({ user_id: member.id, name: 'Deploys', state: 'pending' });
  expect((await oauth.admin('GET', '/notices')).body.notices[0]).toMatchObject({
    kind: 'app.requested',
    text: 'A member asks to install the app "Deploys".',
  });
  const approved = await oauth.admin('POST', `/app_requests/${request.id}/approve`);
  expect(approved.body.app_request.state).toBe('approved');
  expect((await oauth.admin('POST', `/app_requests/${request.id}/deny`)).body.code).toBe(
    'app_request_decided',
  );
  const tokens = await oauth.install(app, member.token);
  expect(await oauth.asBot(tokens.bot.token)).toBe(200);
  const other = await oauth.space.person('member');
  const theirs = await oauth.install(app, other.token);
  expect(theirs).not.toHaveProperty('bot');
  expect(await oauth.asBot(tokens.bot.token)).toBe(200);
});

test('a denied request installs nothing, and a repeated one is listed once', async () => {
  const app = await oauth.app();
  const member = await oauth.space.person('member');
  for (let n = 0; n < 2; n += 1) await oauth.approve(await oauth.start(app), member.token);
  const listed = await requests();
  expect(listed).toHaveLength(1);
  const { body } = await oauth.admin('POST', `/app_requests/${listed[0].id}/deny`);
  expect(body.app_request).toMatchObject({ state: 'denied', decided_by: oauth.space.owner.id });
  expect((await oauth.admin('GET', '/installations')).body.installations).toEqual([]);
  const entry = async (token?: string) => (await oauth.person('GET', '/apps', token)).body.apps[0];
  expect(await entry(member.token)).toMatchObject({ requested: false, denied: true });
  expect(await entry()).toMatchObject({ denied: false });
  await oauth.approve(await oauth.start(app), member.token);
  expect(await entry(member.token)).toMatchObject({ requested: true, denied: false });
});

test('the directory tells each person what allowing an app leads to', async () => {
  const app = await oauth.app();
  const [member, guest] = await Promise.all([oauth.space.person('member'), oauth.space.person('guest')]);
  const entry = async (token?: string) => (await oauth.person('GET', '/apps', token)).body.apps[0];
  const seen = { installed: false, requested: false };
  expect(await entry()).toMatchObject({ ...seen, outcome: 'install' });
  expect(await entry(guest.token)).toMatchObject({ ...seen, outcome: 'refuse' });
  expect(await entry(member.token)).toMatchObject({ ...seen, outcome: 'request' });
  await oauth.approve(await oauth.start(app), member.token);
  expect(await entry(member.token)).toMatchObject({ requested: true, outcome: 'request' });
  expect(await entry()).toMatchObject({ requested: false });
  const [{ id }] = await requests();
  await oauth.admin('POST', `/app_requests/${id}/approve`);
  expect(await entry(member.token)).toMatchObject({
    installed: true,
    requested: false,
    outcome: 'authorize',
  });
  await oauth.admin('PATCH', `/apps/${app.id}`, { user_scopes: ['messages:read', 'search'] });
  expect(await entry(member.token)).toMatchObject({ installed: true, outcome: 'request' });
  await oauth.admin('PATCH', '/space', { apps_need_approval: false });
  expect(await entry(member.token)).toMatchObject({ outcome: 'install' });
});

test('requests are listed by state', async () => {
  const member = await oauth.space.person('member');
  for (let n = 0; n < 2; n += 1) await oauth.approve(await oauth.start(await oauth.app()), member.token);
  const [later, earlier] = await requests();
  await oauth.admin('POST', `/app_requests/${later.id}/deny`);
  const ids = async (query: string) =>
    (await oauth.admin('GET', `/app_requests?${query}`)).body.app_requests.map(
      ({ id }: { id: string }) => id,
    );
  expect(await ids('state=pending')).toEqual([earlier.id]);
  expect(await ids('state=denied')).toEqual([later.id]);
  expect(await ids('')).toEqual([later.id, earlier.id]);
  expect((await oauth.admin('GET', '/app_requests?state=lost')).status).toBe(400);
});

test('without apps_need_approval a member installs', async () => {
  await oauth.admin('PATCH', '/space', { apps_need_approval: false });
  const member = await oauth.space.person('member');
  const tokens = await oauth.install(await oauth.app(), member.token);
  expect(await oauth.asBot(tokens.bot.token)).toBe(200);
});

test('guests are refused', async () => {
  const guest = await oauth.space.person('guest');
  const flow = await oauth.start(await oauth.app());
  expect((await oauth.approve(flow, guest.token)).status).toBe(403);
});

test('an admin limits the bot to channels; a member may not', async () => {
  const app = await oauth.app({ user_scopes: [] });
  const flow = await oauth.start(app);
  const member = await oauth.space.person('member');
  const channel_ids = [await oauth.channel()];
  expect((await oauth.approve(flow, member.token, { channel_ids })).status).toBe(403);
  const unknown = await oauth.approve(flow, undefined, { channel_ids: [oauth.space.spaceId] });
  expect([unknown.status, unknown.body.code]).toEqual([400, 'unknown_channels']);
  expect((await oauth.approve(flow, undefined, { channel_ids })).status).toBe(200);
  const [installation] = (await oauth.admin('GET', '/installations')).body.installations;
  expect(installation.channel_ids).toEqual(channel_ids);
  const limits = async () =>
    (await oauth.admin('GET', `/bots/${installation.bot_id}`)).body.bot.channel_ids as string[];
  expect(await limits()).toEqual(channel_ids);
  await oauth.install(app);
  expect(await limits()).toEqual(channel_ids);
  await oauth.approve(await oauth.start(app), undefined, { channel_ids: [] });
  expect(await limits()).toEqual([]);
});

test('uninstalling deactivates the bot and revokes every token; a new installation has the same bot', async () => {
  const app = await oauth.app({ token_rotation: true });
  const tokens = await oauth.install(app);
  const [{ id }] = (await oauth.admin('GET', '/installations')).body.installations;
  expect((await oauth.admin('DELETE', `/installations/${id}`)).status).toBe(200);
  expect((await oauth.admin('DELETE', `/installations/${id}`)).status).toBe(404);
  expect([await oauth.asBot(tokens.bot.token), await oauth.asPerson(tokens.access_token)]).toEqual([
    401, 401,
  ]);
  expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(400);
  expect((await oauth.admin('GET', `/bots/${tokens.bot.id}`)).body.bot.is_active).toBe(false);
  const again = await oauth.install(app);
  expect(again.bot.id).toBe(tokens.bot.id);
  expect(await oauth.asBot(again.bot.token)).toBe(200);
});

test('a code is worthless once the app is uninstalled', async () => {
  const app = await oauth.app();
  const code = await oauth.code(app);
  const [{ id }] = (await oauth.admin('GET', '/installations')).body.installations;
  await oauth.admin('DELETE', `/installations/${id}`);
  expect((await oauth.exchange(app, code)).body.error).toBe('invalid_grant');
});

test('a deactivated person: tokens end at once, the bot stays', async () => {
  const app = await oauth.app({ token_rotation: true });
  const admin = await oauth.space.person('admin');
  const tokens = await oauth.install(app, admin.token);
  await oauth.admin('PATCH', `/users/${admin.id}`, { is_active: false });
  expect(await oauth.asPerson(tokens.access_token)).toBe(401);
  const { status, body } = await oauth.refresh(app, tokens.refresh_token);
  expect([status, body.access_token, body.scope]).toEqual([
    200,
    body.bot.token,
    'messages:write conversations:read',
  ]);
});

test('a deactivated person without a bot cannot refresh', async () => {
  const app = await oauth.app({ bot_scopes: [] });
  await oauth.install(app);
  const member = await oauth.space.person('member');
  const tokens = await oauth.install(app, member.token);
  await oauth.admin('PATCH', `/users/${member.id}`, { is_active: false });
  expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(400);
});

test('an inactive app gets no tokens, and those of people are refused', async () => {
  const app = await oauth.app({ bot_scopes: [] });
  const tokens = await oauth.install(app);
  await oauth.admin('PATCH', `/apps/${app.id}`, { is_active: false });
  expect(await oauth.asPerson(tokens.access_token)).toBe(401);
  expect((await oauth.refresh(app, tokens.refresh_token)).status).toBe(401);
  expect((await oauth.authorize(app)).status).toBe(400);
});

test('people list and revoke what they allowed; the bot stays', async () => {
  const app = await oauth.app();
  const tokens = await oauth.install(app);
  const list = async () => (await oauth.person('GET', '/authorizations')).body.authorizations;
  const [authorization] = await list();
  expect(authorization).toMatchObject({ name: 'Deploys', scopes: ['messages:read', 'conversations:read'] });
  const stranger = await seedSpace(api.db);
  const path = `/authorizations/${authorization.id}`;
  expect((await oauth.person('DELETE', path, stranger.owner.token)).status).toBe(404);
  expect((await oauth.person('DELETE', path)).status).toBe(200);
  expect(await list()).toEqual([]);
  expect([await oauth.asPerson(tokens.access_token), await oauth.asBot(tokens.bot.token)]).toEqual([
    401, 200,
  ]);
});

test('after a person revoked an app, its refresh token renews the token of the bot only', async () => {
  const app = await oauth.app({ token_rotation: true });
  const tokens = await oauth.install(app);
  const [{ id }] = (await oauth.person('GET', '/authorizations')).body.authorizations;
  await oauth.person('DELETE', `/authorizations/${id}`);
  expect(await oauth.asPerson(tokens.access_token)).toBe(401);
  const { status, body } = await oauth.refresh(app, tokens.refresh_token);
  expect([status, body.access_token]).toEqual([200, body.bot.token]);
  expect(await oauth.asBot(body.bot.token)).toBe(200);
});

test('a person who refuses sends access_denied to the app', async () => {
  const flow = await oauth.start(await oauth.app());
  const { body } = await oauth.person('POST', `/oauth/interactions/${flow.uid}/deny`);
  const { location } = await oauth.resume(body.redirect_to, flow.cookies);
  expect(`${location?.origin}${location?.pathname}`).toBe(REDIRECT_URI);
  expect(location?.searchParams.get('error')).toBe('access_denied');
  expect((await oauth.approve(flow)).status).toBe(404);
});

test('bot_scope separates what the bot gets from what the person allows', async () => {
  const app = await oauth.app();
  const tokens = await oauth.install(app, undefined, { scope: 'messages:read', bot_scope: 'messages:write' });
  expect([tokens.scope, tokens.bot.scope]).toEqual(['messages:read', 'messages:write']);
});

test.each([
  ['bot_scope', { scope: '', bot_scope: 'messages:write' }, ['messages:write', 'messages:write']],
  ['user_scope', { scope: '', user_scope: 'messages:read' }, ['messages:read', undefined]],
  [
    'a scope that nothing is granted for',
    { scope: 'search', bot_scope: 'messages:write' },
    ['messages:write', 'messages:write'],
  ],
])('a request with %s alone is granted', async (_, more, granted) => {
  const tokens = await oauth.install(await oauth.app(), undefined, more);
  expect([tokens.scope, tokens.bot?.scope]).toEqual(granted);
  expect(tokens.access_token).toMatch(granted[1] === undefined ? /^tla_/ : /^tlb_/);
});
