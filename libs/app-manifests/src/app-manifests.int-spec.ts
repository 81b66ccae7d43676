import { AppsAdminModule, AppsModule } from '@tieline/apps';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { AppManifestsModule } from './app-manifests.module.js';

const ENV = {
  EGRESS_ALLOW_HTTP: 'true',
  EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
  PUBLIC_URL: 'https://tieline.example',
};
const ADDRESS = 'http://127.0.0.1:9/';
const MANIFEST = {
  name: 'Deploys',
  description: 'Tells channels what was deployed',
  redirect_uris: ['https://app.example/callback'],
  bot_scopes: ['messages:write', 'commands', 'interactive', 'events'],
  user_scopes: ['messages:read'],
  event_url: `${ADDRESS}events`,
  interactive_url: `${ADDRESS}clicks`,
  bot: { display_name: 'Deploy bot', event_types: ['MESSAGE_CREATED'] },
  commands: [
    {
      name: 'deploy',
      description: 'Deploys a service',
      callback_url: `${ADDRESS}slash`,
      options: [
        { name: 'stage', type: 'choice', required: true, choices: [{ name: 'Live', value: 'live' }] },
      ],
    },
    { name: 'undeploy', callback_url: `${ADDRESS}slash` },
  ],
};
const SHORTCUT = { callback_id: 'a', name: 'A', type: 'global' };

let api: TestApi;
let fixture: BotsFixture;
beforeAll(async () => {
  api = await startBotsApi(ENV, [AppsModule, AppsAdminModule, AppManifestsModule]);
});
beforeEach(async () => {
  fixture = await BotsFixture.of(api);
});
afterAll(() => api?.close());

const create = (manifest: unknown, more: object = {}, by = fixture): Promise<TestAnswer> =>
  by.admin('POST', '/apps/manifest', { manifest, ...more });
const exported = async (id: string, by = fixture) =>
  (await by.admin('GET', `/apps/${id}/manifest`)).body.manifest;

test('creates the app with its bot, commands and configuration, and shows the secrets once', async () => {
  const { status, body } = await create(MANIFEST);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    app: { name: 'Deploys', bot_scopes: MANIFEST.bot_scopes, event_url: MANIFEST.event_url },
    client_secret: expect.stringMatching(/^tlk_/),
    signing_secret: expect.stringMatching(/^whsec_/),
    warnings: [],
  });
  expect(body.created).toEqual([
    { type: 'app', name: 'Deploys', id: body.app.id },
    { type: 'bot', name: 'Deploy bot', id: expect.any(String), token: expect.stringMatching(/^tlb_/) },
    { type: 'command', name: 'deploy', id: expect.any(String), signing_secret: expect.any(String) },
    { type: 'command', name: 'undeploy', id: expect.any(String), signing_secret: expect.any(String) },
    {
      type: 'interactive_config',
      name: MANIFEST.interactive_url,
      signing_secret: expect.stringMatching(/^whsec_/),
    },
  ]);
  const [, bot] = body.created;
  expect((await fixture.admin('GET', `/bots/${bot.id}`)).body.bot).toMatchObject({
    display_name: 'Deploy bot',
    event_types: ['MESSAGE_CREATED'],
    event_delivery_mode: 'webhook',
    webhook_url: MANIFEST.event_url,
  });
  expect((await fixture.admin('GET', '/installations')).body.installations).toMatchObject([
    { app_id: body.app.id, bot_id: bot.id },
  ]);
  const me = await api.call('GET', '/api/v1/bot/me', { token: bot.token });
  expect([me.status, me.body.bot.id]).toEqual([200, bot.id]);
});

test('an exported manifest creates an equal app in another space', async () => {
  const { body } = await create(MANIFEST);
  const first = await exported(body.app.id);
  expect(first).toMatchObject({ ...MANIFEST, bot: { ...MANIFEST.bot, event_delivery_mode: 'webhook' } });
  const other = await BotsFixture.of(api);
  const again = await create(first, {}, other);
  expect([again.status, again.body.warnings]).toEqual([201, []]);
  expect(await exported(again.body.app.id, other)).toEqual(first);
});

test('an app without a bot round-trips, too', async () => {
  const { body } = await create({ name: 'Reader', user_scopes: ['messages:read'], client_type: 'public' });
  expect(body.created).toEqual([{ type: 'app', name: 'Reader', id: body.app.id }]);
  expect(body).not.toHaveProperty('client_secret');
  const first = await exported(body.app.id);
  const again = await create(first);
  expect(await exported(again.body.app.id)).toEqual(first);
});

test('a dry run says what would be created, and creates nothing', async () => {
  const { status, body } = await create({ ...MANIFEST, color: 'blue' }, { dry_run: true });
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      app: null,
      created: [
        { type: 'app', name: 'Deploys' },
        { type: 'bot', name: 'Deploy bot' },
        { type: 'command', name: 'deploy' },
        { type: 'command', name: 'undeploy' },
        { type: 'interactive_config', name: MANIFEST.interactive_url },
      ],
      warnings: ['color is unknown and is left out'],
    },
  ]);
  expect((await fixture.admin('GET', '/apps')).body.apps).toEqual([]);
  expect((await fixture.admin('GET', '/bots')).body.bots).toEqual([]);
  expect(
    (await fixture.admin('GET', '/audit_log')).body.entries.map(({ action }: any) => action),
  ).not.toContain('app.created');
});

test('creates nothing if one part fails, also in a dry run', async () => {
  await create({ ...MANIFEST, commands: [MANIFEST.commands[1]] });
  for (const dry_run of [false, true]) {
    const { status, body } = await create({ ...MANIFEST, name: 'Second' }, { dry_run });
    expect([status, body.ok]).toEqual([409, false]);
  }
  expect((await fixture.admin('GET', '/apps')).body.apps).toHaveLength(1);
  expect((await fixture.admin('GET', '/bots')).body.bots).toHaveLength(1);
});

test("creates an app from Slack's manifest and names what is left out", async () => {
  const { status, body } = await create(
    {
      display_information: { name: 'Stand-up', background_color: '#004492' },
      features: {
        bot_user: { display_name: 'standup' },
        slash_commands: [{ command: '/standup', description: 'Begins one' }],
        shortcuts: [{ callback_id: 'begin', name: 'Begin stand-up', description: '', type: 'global' }],
      },
      oauth_config: { scopes: { bot: ['commands', 'chat:write', 'app_mentions:read'] } },
      settings: {
        event_subscriptions: { bot_events: ['app_mention'] },
        interactivity: { is_enabled: true },
        socket_mode_enabled: true,
      },
    },
    { colour: 'blue' },
  );
  expect([status, body.warnings]).toEqual([
    201,
    ['display_information.background_color has no counterpart and is left out', 'unknown field: colour'],
  ]);
  expect(await exported(body.app.id)).toMatchObject({
    name: 'Stand-up',
    bot_scopes: ['commands', 'messages:write', 'runs', 'events', 'interactive'],
    event_format: 'slack',
    bot: { display_name: 'standup', event_types: ['MESSAGE_CREATED'], event_delivery_mode: 'poll' },
    commands: [{ name: 'standup', description: 'Begins one', callback_url: '' }],
    shortcuts: [{ callback_id: 'begin', name: 'Begin stand-up', description: '', type: 'global' }],
  });
  const { id } = body.created.find(({ type }: { type: string }) => type === 'bot');
  expect((await fixture.admin('GET', `/bots/${id}`)).body.bot).toMatchObject({ event_format: 'slack' });
});

test.each([
  [undefined, 'manifest'],
  [[], 'manifest'],
  [{}, 'manifest.name'],
  [{ ...MANIFEST, bot: [] }, 'manifest.bot'],
  [{ ...MANIFEST, bot: { event_types: ['button.click'] } }, 'manifest.bot.event_types'],
  [{ ...MANIFEST, commands: {} }, 'manifest.commands'],
  [{ ...MANIFEST, commands: [{ name: 'Deploy' }] }, 'manifest.commands[0].name'],
  [{ ...MANIFEST, commands: [MANIFEST.commands[1], MANIFEST.commands[1]] }, 'manifest.commands[1].name'],
  [{ ...MANIFEST, shortcuts: [{ callback_id: 'a', name: 'A', type: 'menu' }] }, 'manifest.shortcuts[0].type'],
  [{ name: 'App', bot_scopes: ['events'], shortcuts: [SHORTCUT] }, 'manifest.bot_scopes'],
  [{ ...MANIFEST, bot_scopes: ['events', 'interactive'] }, 'manifest.bot_scopes'],
  [{ ...MANIFEST, bot_scopes: ['events', 'commands'] }, 'manifest.bot_scopes'],
  [{ ...MANIFEST, bot_scopes: ['interactive', 'commands'] }, 'manifest.bot_scopes'],
  [{ name: 'No bot', bot: { display_name: 'Bot' } }, 'manifest.bot_scopes'],
  [{ ...MANIFEST, interactive_url: 'https://10.0.0.1/' }, 'manifest.interactive_url'],
  [{ ...MANIFEST, event_url: 'https://10.0.0.1/' }, 'manifest.event_url'],
])('%j is refused at %s', async (manifest, field) => {
  const { status, body } = await create(manifest);
  expect([status, body.field]).toEqual([400, field]);
  expect((await fixture.admin('GET', '/apps')).body.apps).toEqual([]);
});

test('members and admins of other spaces have no access', async () => {
  const { body } = await create(MANIFEST);
  const { token } = await fixture.space.person('member');
  const other = await BotsFixture.of(api);
  expect((await other.admin('GET', `/apps/${body.app.id}/manifest`)).status).toBe(404);
  for (const [method, path] of [
    ['POST', 'manifest'],
    ['GET', `${body.app.id}/manifest`],
  ] as const)
    expect(
      (
        await api.call(method, `/api/v1/admin/apps/${path}`, {
          token,
          ...(method === 'POST' && { body: {} }),
        })
      ).status,
    ).toBe(403);
});
