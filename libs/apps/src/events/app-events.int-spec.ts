import { createHmac } from 'node:crypto';
import { BOTS_WORKER } from '@tieline/bots/testing';
import { findDelivery } from '@tieline/delivery';
import { byUser } from '@tieline/spaces';
import { seedSpace } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, startReceiver } from '@tieline/testing';
import type { ReceivedRequest, Receiver } from '@tieline/testing';
import { AppsWorkerModule } from '../apps.module.js';
import { redeliverAppEvent } from './redeliver-app-event.js';
import { OAuthFixture, startAppsApi } from '../testing/oauth-fixture.js';
import type { SeededApp } from '../testing/oauth-fixture.js';

const ENV = {
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  DELIVERY_BACKOFF_INITIAL_MS: '20',
  DELIVERY_BACKOFF_MAX_MS: '40',
};

let api: TestApi;
let oauth: OAuthFixture;
let receiver: Receiver;
beforeAll(async () => {
  api = await startAppsApi(ENV, [...BOTS_WORKER, AppsWorkerModule]);
});
beforeEach(async () => {
  receiver = await startReceiver();
  oauth = await OAuthFixture.of(api);
});
afterEach(() => receiver.close());
afterAll(() => api?.close());

const bodyOf = (request: ReceivedRequest) => JSON.parse(request.body.toString());
const heard = async (type: string) =>
  bodyOf(await receiver.waitFor((request) => bodyOf(request).event_type === type));
const listening = (settings: Record<string, unknown> = {}): Promise<SeededApp> =>
  oauth.app({ event_url: `${receiver.url}/events`, ...settings });
const redeliver = async (id: string): Promise<string> => {
  const { spaceId, owner } = oauth.space;
  const delivery = (await findDelivery(api.db, spaceId, id))!;
  return redeliverAppEvent(api.db, spaceId, delivery, byUser({ userId: owner.id }, '127.0.0.1'));
};
const installationOf = async () => (await oauth.admin('GET', '/installations')).body.installations[0];

test('an app hears that it was installed, signed with its signing secret', async () => {
  const app = await listening();
  const { bot } = await oauth.install(app);
  const event = await heard('APP_INSTALLED');
  const installation = await installationOf();
  expect(event).toEqual({
    event_id: expect.any(String),
    event_type: 'APP_INSTALLED',
    space_id: oauth.space.spaceId,
    installation_id: installation.id,
    conversation_id: '',
    thread_id: '',
    actor_user_id: oauth.space.owner.id,
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{18}Z$/),
    schema_version: 1,
    data: {
      app_id: app.id,
      installation_id: installation.id,
      bot_id: bot.id,
      bot_scopes: ['messages:write', 'conversations:read'],
      user_scopes: ['messages:read', 'conversations:read'],
      channel_ids: [],
      installed_by: oauth.space.owner.id,
    },
  });
  const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedRequest];
  const signed = createHmac('sha256', String(app.signingSecret))
    .update(`${String(headers['x-service-timestamp'])}.`)
    .update(body)
    .digest('hex');
  expect(headers['x-service-signature']).toBe(`v1=${signed}`);
});

test("an app with Slack's event format hears nothing in Tieline's format", async () => {
  const slack = await listening({ event_format: 'slack' });
  await oauth.install(slack);
  const { bot_id: id } = await installationOf();
  expect((await oauth.admin('GET', `/bots/${id}`)).body.bot).toMatchObject({ event_format: 'slack' });
  const native = await listening();
  await oauth.install(native);
  await heard('APP_INSTALLED');
  expect(receiver.requests.map((request) => bodyOf(request).data.app_id)).toEqual([native.id]);
});

test('installing an app again is no second APP_INSTALLED', async () => {
  const app = await listening();
  await oauth.install(app);
  // Two events of one app may arrive in any order.
  await heard('APP_INSTALLED');
  await oauth.install(app);
  await oauth.admin('DELETE', `/installations/${(await installationOf()).id}`);
  await heard('APP_UNINSTALLED');
  expect(receiver.requests.map((request) => bodyOf(request).event_type)).toEqual([
    'APP_INSTALLED',
    'APP_UNINSTALLED',
  ]);
});

test('an app hears that it was uninstalled, although its bot is deactivated and the first attempt fails', async () => {
  const { bot } = await oauth.install(await listening());
  await heard('APP_INSTALLED');
  const { id, app_id } = await installationOf();
  let failed = 0;
  receiver.respond(() => (failed++ === 0 ? 503 : 200));
  await oauth.admin('DELETE', `/installations/${id}`);
  await receiver.waitFor(3);
  expect(await oauth.asBot(bot.token)).toBe(401);
  expect(await heard('APP_UNINSTALLED')).toMatchObject({
    space_id: oauth.space.spaceId,
    installation_id: id,
    data: { app_id, installation_id: id, bot_id: bot.id },
  });
});

test('a deleted app hears of each space that it is uninstalled from', async () => {
  const app = await listening({ distribution: 'listed' });
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [app.id]);
  const stranger = await seedSpace(api.db);
  for (const token of [undefined, stranger.owner.token]) await oauth.install(app, token);
  await oauth.admin('DELETE', `/apps/${app.id}`);
  const left = () =>
    receiver.requests.map(bodyOf).filter(({ event_type: type }) => type === 'APP_UNINSTALLED');
  await eventually(() =>
    expect(
      left()
        .map(({ space_id: id }) => id)
        .sort(),
    ).toEqual([oauth.space.spaceId, stranger.spaceId].sort()),
  );
  expect(left().map(({ actor_user_id: actor }) => actor)).toEqual(['', '']);
});

test('an app hears that a person revoked its authorization', async () => {
  const app = await listening();
  const member = await oauth.space.person('member');
  await oauth.install(app);
  await oauth.install({ ...app, scope: 'messages:read' }, member.token);
  const [{ id }] = (await oauth.person('GET', '/authorizations', member.token)).body.authorizations;
  await oauth.person('DELETE', `/authorizations/${id}`, member.token);
  expect(await heard('TOKENS_REVOKED')).toMatchObject({
    actor_user_id: member.id,
    installation_id: (await installationOf()).id,
    data: { app_id: app.id, user_ids: [member.id], bot_ids: [] },
  });
});

test('an app hears that a refresh token was used twice, which revokes the tokens of person and bot', async () => {
  const app = await listening({ token_rotation: true });
  const { refresh_token: first, bot } = await oauth.install(app);
  await oauth.refresh(app, first);
  await oauth.refresh(app, first);
  expect(await heard('TOKENS_REVOKED')).toMatchObject({
    actor_user_id: '',
    data: { user_ids: [oauth.space.owner.id], bot_ids: [bot.id] },
  });
});

test('an app hears that it revoked the token of its bot', async () => {
  const app = await listening();
  const { bot } = await oauth.install(app);
  await oauth.send('/oauth/revoke', {
    form: { client_id: app.clientId, client_secret: app.clientSecret, token: bot.token },
  });
  expect(await heard('TOKENS_REVOKED')).toMatchObject({ data: { user_ids: [], bot_ids: [bot.id] } });
});

test.each([undefined, { reset: true }])(
  'an app hears that an admin replaced the token of its bot with %j',
  async (body) => {
    const app = await listening();
    const { bot } = await oauth.install(app);
    const replaced = await oauth.admin('POST', `/bots/${bot.id}/regenerate_token`, body);
    expect(await heard('TOKENS_REVOKED')).toMatchObject({
      space_id: oauth.space.spaceId,
      actor_user_id: oauth.space.owner.id,
      installation_id: (await installationOf()).id,
      data: { app_id: app.id, user_ids: [], bot_ids: [bot.id] },
    });
    expect(await oauth.asBot(bot.token)).toBe(401);
    expect(await oauth.asBot(replaced.body.token)).toBe(200);
  },
);

test('a token that an admin gets for a bot with rotating tokens does not expire', async () => {
  const { bot } = await oauth.install(await oauth.app({ token_rotation: true }));
  const { body } = await oauth.admin('POST', `/bots/${bot.id}/regenerate_token`);
  const rows = await api.db.pool.query('SELECT token_expires_at FROM bots WHERE id = $1', [bot.id]);
  expect(rows.rows).toEqual([{ token_expires_at: null }]);
  expect(await oauth.asBot(body.token)).toBe(200);
});

test("a reset takes the app's addresses from its bot, and an installation sets them again", async () => {
  const app = await listening({ interactive_url: `${receiver.url}/clicks` });
  const { bot } = await oauth.install(app);
  const addresses = async () =>
    (await api.db.pool.query('SELECT webhook_url, interactive_url FROM bots WHERE id = $1', [bot.id]))
      .rows[0];
  const set = await addresses();
  await oauth.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true });
  expect(await addresses()).toEqual({ webhook_url: '', interactive_url: '' });
  await oauth.install(app);
  expect(await addresses()).toEqual(set);
});

test('the bot of an installed app is deleted only after the app is uninstalled', async () => {
  const { bot } = await oauth.install(await listening());
  const { status, body } = await oauth.admin('DELETE', `/bots/${bot.id}`);
  expect([status, body.code]).toEqual([409, 'bot_of_app']);
  await oauth.admin('DELETE', `/installations/${(await installationOf()).id}`);
  expect((await oauth.admin('DELETE', `/bots/${bot.id}`)).status).toBe(200);
});

test("the bot of an app cannot replace the app's signing secret", async () => {
  const { bot } = await oauth.install(await listening({ bot_scopes: ['events'] }));
  const { status, body } = await api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token });
  expect([status, body.code]).toEqual([409, 'bot_of_app']);
});

test('admins list the deliveries to their app and send one again', async () => {
  const app = await listening();
  await oauth.install(app);
  await heard('APP_INSTALLED');
  const list = async () =>
    (await oauth.admin('GET', `/apps/${app.id}/deliveries?filter=success`)).body.deliveries ?? [];
  await eventually(async () => (await list()).length === 1);
  const [{ delivery_id: id, event_id: eventId, event_type: type }] = await list();
  expect(type).toBe('APP_INSTALLED');
  const again = await redeliver(id);
  const [first, second] = (await receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  expect(second.body.equals(first.body)).toBe(true);
  await eventually(async () => (await list()).length === 2);
  expect(await list()).toMatchObject([{ delivery_id: again, event_id: eventId }, { delivery_id: id }]);
});

test('a delivery to an app that has no event_url anymore is not sent again', async () => {
  const app = await listening();
  await oauth.install(app);
  await heard('APP_INSTALLED');
  const list = await oauth.admin('GET', `/apps/${app.id}/deliveries`);
  const [{ delivery_id: id }] = list.body.deliveries;
  await oauth.admin('PATCH', `/apps/${app.id}`, { event_url: '' });
  await expect(redeliver(id)).rejects.toMatchObject({ status: 409, code: 'no_event_url' });
});

test('events of bots name the installation, and each bot of the app gets that of its space', async () => {
  const app = await listening({ bot_scopes: ['events', 'messages:read'], distribution: 'listed' });
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [app.id]);
  const { bot } = await oauth.install(app);
  await oauth.admin('PATCH', `/bots/${bot.id}`, { event_types: ['MESSAGE_CREATED'] });
  const plain = await oauth.admin('POST', '/bots', {
    display_name: 'By hand',
    event_types: ['MESSAGE_CREATED'],
    event_delivery_mode: 'webhook',
    webhook_url: `${receiver.url}/plain`,
  });
  expect(plain.status).toBe(201);
  const members = [{ id: oauth.space.owner.id, type: 'user' as const }];
  const channel = await oauth.chat.conversation({ members });
  await oauth.chat.post(channel, { id: oauth.space.owner.id, type: 'user' }, 'hello');
  const created = async (path: string) =>
    bodyOf(
      await receiver.waitFor(
        (request) => request.url === path && bodyOf(request).event_type === 'MESSAGE_CREATED',
      ),
    );
  const { id } = await installationOf();
  const pushed = await created('/events');
  expect(pushed).toMatchObject({ installation_id: id, space_id: oauth.space.spaceId });
  expect(Object.keys(pushed).slice(0, 5)).toEqual([
    'event_id',
    'event_type',
    'space_id',
    'installation_id',
    'conversation_id',
  ]);
  expect(await created('/plain')).not.toHaveProperty('installation_id');
});

test('an app without an event_url gets no events', async () => {
  await oauth.install(await oauth.app());
  await oauth.install(await listening());
  await heard('APP_INSTALLED');
  // Events beside the one that arrived may still be there.
  await eventually(async () => expect(await api.db.query('SELECT 1 AS n FROM outbox')).toEqual([]));
  expect(receiver.requests).toHaveLength(1);
});
