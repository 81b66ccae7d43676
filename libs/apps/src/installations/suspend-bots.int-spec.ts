import { BOTS_WORKER, SocketClient } from '@tieline/bots/testing';
import { seedSpace } from '@tieline/spaces/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { EventStreamClient, eventually, mayIdle } from '@tieline/testing';
import { AppsWorkerModule } from '../apps.module.js';
import { OldOAuthRecordsProcessor } from '../old-oauth-records.processor.js';
import { OAuthFixture, startAppsApi } from '../testing/oauth-fixture.js';
import type { SeededApp } from '../testing/oauth-fixture.js';

const EVENTS = { bot_scopes: ['events', 'messages:write', 'conversations:read'] };

let api: TestApi;
let oauth: OAuthFixture;
beforeAll(async () => {
  api = await startAppsApi({}, [...BOTS_WORKER, AppsWorkerModule]);
});
beforeEach(async () => {
  oauth = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

const setActive = async ({ id }: SeededApp, is_active: boolean): Promise<void> => {
  expect((await oauth.admin('PATCH', `/apps/${id}`, { is_active })).status).toBe(200);
};
const pollingBot = async (app: SeededApp) => {
  const { bot } = await oauth.install(app);
  await oauth.admin('PATCH', `/bots/${bot.id}`, { event_delivery_mode: 'poll' });
  return bot;
};

test('an app that is not active loses the tokens of its bots in every space, until it is active again', async () => {
  const app = await oauth.app({ distribution: 'listed' });
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [app.id]);
  const stranger = await seedSpace(api.db);
  const { bot: own } = await oauth.install(app);
  const { bot: other } = await oauth.install(app, stranger.owner.token);
  await setActive(app, false);
  for (const { token } of [own, other]) expect(await oauth.asBot(token)).toBe(401);
  expect((await oauth.admin('GET', `/bots/${own.id}`)).body.bot.is_active).toBe(false);
  await setActive(app, true);
  for (const { token } of [own, other]) expect(await oauth.asBot(token)).toBe(200);
});

test('an admin cannot enable the bot of an app that is not active', async () => {
  const app = await oauth.app();
  const { bot } = await oauth.install(app);
  await setActive(app, false);
  const { status, body } = await oauth.admin('PATCH', `/bots/${bot.id}`, { is_active: true });
  expect([status, body.code]).toEqual([409, 'app_inactive']);
});

test.each(['before the app was switched off', 'while the app was switched off'])(
  'a bot that an admin disabled %s stays disabled',
  async (when) => {
    const app = await oauth.app();
    const { bot } = await oauth.install(app);
    const disable = () => oauth.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
    if (when.startsWith('before')) await disable();
    await setActive(app, false);
    if (when.startsWith('while')) await disable();
    await setActive(app, true);
    expect(await oauth.asBot(bot.token)).toBe(401);
  },
);

test('open connections of an app end when it is switched off', async () => {
  const app = await oauth.app(EVENTS);
  const bot = await pollingBot(app);
  const socket = await SocketClient.open(api.url, bot.token);
  const stream = await EventStreamClient.open(`${api.url}/api/v1/bot/stream`, bot.token);
  const poll = api.call('GET', '/api/v1/bot/events?wait=20', { token: bot.token });
  await setActive(app, false);
  expect((await poll).status).toBe(401);
  await eventually(() => expect(socket.closed?.code).toBe(4401));
  await eventually(() => expect(stream.ended).toBe(true));
});

test.each([
  ['uninstalled', async () => oauth.admin('DELETE', `/installations/${await installationId()}`)],
  [
    'installed with fewer scopes',
    async (app: SeededApp) => {
      await oauth.admin('PATCH', `/apps/${app.id}`, { bot_scopes: ['messages:write'] });
      // Agreeing changes the scopes, before the app gets a new token.
      await oauth.approve(await oauth.start({ ...app, scope: 'messages:write' }));
    },
  ],
])('open connections of an app end when it is %s', async (_, change) => {
  const app = await oauth.app(EVENTS);
  const bot = await pollingBot(app);
  const socket = await SocketClient.open(api.url, bot.token);
  const stream = await EventStreamClient.open(`${api.url}/api/v1/bot/stream`, bot.token);
  await change(app);
  await eventually(() => expect(socket.closed?.code).toBe(4401));
  await eventually(() => expect(stream.ended).toBe(true));
});

test('a socket ends when the rotating token of its bot expires', async () => {
  const bot = await pollingBot(await oauth.app({ ...EVENTS, token_rotation: true }));
  const socket = await SocketClient.open(api.url, bot.token);
  await eventually(() => expect(socket.hello).toBeDefined());
  await api.db.query(`UPDATE bots SET token_expires_at = now() - interval '1 second' WHERE id = $1`, [
    bot.id,
  ]);
  await eventually(() => expect(socket.closed?.code).toBe(4401));
});

test('a stream that a person opened with a token of the app ends with the app', async () => {
  const app = await oauth.app({ user_scopes: ['events'] });
  const { access_token: token } = await oauth.install({ ...app, scope: 'events' });
  const found = () => api.call('GET', '/api/v1/client/authorizations', { token });
  expect((await found()).status).not.toBe(401);
  await setActive(app, false);
  expect((await found()).status).toBe(401);
});

test('an app that is switched off while it is installed has no active bot', async () => {
  const app = await oauth.app();
  const flow = await oauth.start(app);
  const waiting = async () =>
    (
      await api.db.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
    ).rowCount;
  const holder = await api.db.pool.connect();
  try {
    // The installation stops before its last write.
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('LOCK TABLE app_installations IN EXCLUSIVE MODE');
    const approved = oauth.approve(flow);
    await eventually(async () => (await waiting()) === 1);
    let isDone = false;
    const off = setActive(app, false).then(() => (isDone = true));
    await eventually(async () => isDone || (await waiting()) === 2);
    await holder.query('COMMIT');
    expect((await approved).status).toBe(200);
    await off;
  } finally {
    holder.release(true);
  }
  expect((await oauth.admin('GET', '/bots')).body.bots).toMatchObject([{ is_active: false }]);
});

test('the worker suspends bots that a process left behind', async () => {
  const app = await oauth.app();
  const { bot } = await oauth.install(app);
  await api.db.query('UPDATE apps SET is_active = false WHERE id = $1', [app.id]);
  const duty = api.app.get(OldOAuthRecordsProcessor);
  await duty['run']({ signal: new AbortController().signal } as Parameters<(typeof duty)['run']>[0]);
  expect(await oauth.asBot(bot.token)).toBe(401);
});

async function installationId(): Promise<string> {
  return (await oauth.admin('GET', '/installations')).body.installations[0].id as string;
}
