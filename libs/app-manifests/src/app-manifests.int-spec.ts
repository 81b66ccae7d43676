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
    bot: {
      ...{ display_name: 'standup', event_types: ['MESSAGE_CREATED'], slack_events: ['app_mention'] },
      event_delivery_mode: 'poll',
    },
    commands: [{ name: 'standup', description: 'Begins one', callback_url: '' }],
    shortcuts: [{ callback_id: 'begin', name: 'Begin stand-up', description: '', type: 'global' }],
  });
  const { id } = body.created.find(({ type }: { type: string }) => type === 'bot');
  expect((await fixture.admin('GET', `/bots/${id}`)).body.bot).toMatchObject({
    ...{ event_format: 'slack', slack_events: ['app_mention'] },
  });
});

test.each([
  [undefined, 'manifest'],
  [[], 'manifest'],
  [{}, 'manifest.name'],
  [{ ...MANIFEST, bot: [] }, 'manifest.bot'],
  [{ ...MANIFEST, bot: { event_types: ['button.click'] } }, 'manifest.bot.event_types'],
  [{ ...MANIFEST, bot: { slack_events: ['message'] } }, 'manifest.bot.slack_events'],
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

const update = (id: string, manifest: unknown, more: object = {}): Promise<TestAnswer> =>
  fixture.admin('PUT', `/apps/${id}/manifest`, { manifest, ...more });
const auditCount = async (): Promise<number> =>
  (await fixture.admin('GET', '/audit_log')).body.entries.length as number;

describe('a changed manifest', () => {
  const CHANGED = {
    ...MANIFEST,
    name: 'Releases',
    user_scopes: [],
    bot: { display_name: 'Release bot', event_types: [] },
    commands: [
      { ...MANIFEST.commands[0], description: 'Releases a service' },
      { ...MANIFEST.commands[1], name: 'undo' },
    ],
    shortcuts: [SHORTCUT],
  };
  const DIFFERENCES = {
    changed: [
      {
        type: 'app',
        name: 'Releases',
        changes: {
          name: { from: 'Deploys', to: 'Releases' },
          user_scopes: { from: ['messages:read'], to: [] },
        },
      },
      {
        type: 'bot',
        name: 'Release bot',
        changes: {
          display_name: { from: 'Deploy bot', to: 'Release bot' },
          event_types: { from: ['MESSAGE_CREATED'], to: [] },
        },
      },
      {
        type: 'command',
        name: 'deploy',
        changes: { description: { from: 'Deploys a service', to: 'Releases a service' } },
      },
    ],
    deleted: [{ type: 'command', name: 'undeploy' }],
    warnings: [],
  };

  test('changes the app, its bot, its commands and shortcuts, and keeps ids and secrets', async () => {
    const { body } = await create(MANIFEST);
    const [, bot, deploy] = body.created;
    const updated = await update(body.app.id, CHANGED);
    expect([updated.status, updated.body]).toEqual([
      200,
      {
        ok: true,
        app: expect.objectContaining({ id: body.app.id, name: 'Releases', client_id: body.app.client_id }),
        created: [
          { type: 'command', name: 'undo', id: expect.any(String), signing_secret: expect.any(String) },
          { type: 'shortcut', name: 'A', id: expect.any(String) },
        ],
        ...DIFFERENCES,
      },
    ]);
    expect(await exported(body.app.id)).toMatchObject({
      ...CHANGED,
      bot: { ...CHANGED.bot, event_delivery_mode: 'webhook' },
      shortcuts: [SHORTCUT],
    });
    const stored = await api.db.query(`SELECT id FROM slash_commands WHERE bot_id = $1 AND name = 'deploy'`, [
      bot.id,
    ]);
    expect(stored).toEqual([{ id: deploy.id }]);
    expect((await api.call('GET', '/api/v1/bot/me', { token: bot.token })).status).toBe(200);
  });

  test('shows the difference in a dry run, and changes nothing', async () => {
    const { body } = await create(MANIFEST);
    const [before, entries] = [await exported(body.app.id), await auditCount()];
    const dry = await update(body.app.id, CHANGED, { dry_run: true });
    expect([dry.status, dry.body]).toEqual([
      200,
      {
        ok: true,
        app: null,
        created: [
          { type: 'command', name: 'undo' },
          { type: 'shortcut', name: 'A' },
        ],
        ...DIFFERENCES,
      },
    ]);
    expect([await exported(body.app.id), await auditCount()]).toEqual([before, entries]);
  });

  test('without a difference writes nothing', async () => {
    const { body } = await create(MANIFEST);
    const entries = await auditCount();
    const again = await update(body.app.id, await exported(body.app.id));
    expect(again.body).toMatchObject({ created: [], changed: [], deleted: [] });
    expect(await auditCount()).toBe(entries);
  });

  test('changes the events of Slack, and keeps their names', async () => {
    const slackManifest = (...bot_events: string[]) => ({
      display_information: { name: 'Stand-up' },
      settings: { event_subscriptions: { bot_events }, socket_mode_enabled: true },
    });
    const { body } = await create(slackManifest('message.im', 'app_mention'));
    const first = await exported(body.app.id);
    expect(first.bot.slack_events).toEqual(['message.im', 'app_mention']);
    const [other, asBefore] = [slackManifest('app_mention'), await exported(body.app.id)];
    const { changed } = (await update(body.app.id, other, { dry_run: true })).body;
    expect(changed).toMatchObject([
      {
        type: 'bot',
        changes: { slack_events: { from: ['message.im', 'app_mention'], to: ['app_mention'] } },
      },
    ]);
    expect(await exported(body.app.id)).toEqual(asBefore);
    await update(body.app.id, other);
    expect((await exported(body.app.id)).bot.slack_events).toEqual(['app_mention']);
    await update(body.app.id, first);
    expect(await exported(body.app.id)).toEqual(first);
    await update(body.app.id, { ...first, bot: { ...first.bot, slack_events: undefined } });
    expect((await exported(body.app.id)).bot).not.toHaveProperty('slack_events');
  });

  test('gives fields that it lacks their defaults', async () => {
    const { body } = await create({ ...MANIFEST, shortcuts: [SHORTCUT], client_type: 'public' });
    expect((await update(body.app.id, { name: 'Deploys', bot_scopes: ['events'] })).status).toBe(200);
    const reduced = await exported(body.app.id);
    expect(reduced).toMatchObject({
      ...{ description: '', user_scopes: [], event_url: '', client_type: 'public', commands: [] },
      bot: { display_name: 'Deploys', event_types: [], event_delivery_mode: 'none' },
    });
    expect(reduced).not.toHaveProperty('redirect_uris');
    expect(reduced).not.toHaveProperty('shortcuts');
  });

  test('gives an app without a bot its bot, with a token', async () => {
    const { body } = await create({ name: 'Reader', user_scopes: ['messages:read'] });
    const { created } = (await update(body.app.id, MANIFEST)).body;
    expect(created).toMatchObject([
      { type: 'bot', name: 'Deploy bot', token: expect.stringMatching(/^tlb_/) },
      { type: 'command', name: 'deploy' },
      { type: 'command', name: 'undeploy' },
    ]);
    expect((await api.call('GET', '/api/v1/bot/me', { token: created[0].token })).status).toBe(200);
  });

  test('leaves a disabled bot disabled, and the channels that an admin chose', async () => {
    const { body } = await create(MANIFEST);
    const [, bot] = body.created;
    const chosen = [await fixture.chat.conversation({})];
    await fixture.admin('PATCH', `/bots/${bot.id}`, { is_active: false });
    await api.db.query('UPDATE app_installations SET channel_ids = $1', [chosen]);
    await update(body.app.id, CHANGED);
    expect((await fixture.admin('GET', `/bots/${bot.id}`)).body.bot).toMatchObject({
      ...{ is_active: false, channel_ids: chosen, display_name: 'Release bot' },
    });
  });

  test('gives a command that lost its secret in a reset a new one', async () => {
    const { body } = await create(MANIFEST);
    const [, bot] = body.created;
    await fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true });
    const { created, changed } = (await update(body.app.id, MANIFEST)).body;
    expect(created).toMatchObject([
      { type: 'command', name: 'deploy', signing_secret: expect.any(String) },
      { type: 'command', name: 'undeploy', signing_secret: expect.any(String) },
    ]);
    expect(changed).toMatchObject([{ type: 'bot', changes: { event_delivery_mode: { to: 'webhook' } } }]);
    expect((await exported(body.app.id)).commands).toMatchObject(MANIFEST.commands);
  });

  test('changes nothing if one part fails', async () => {
    await create({
      name: 'First',
      bot_scopes: ['commands'],
      commands: [{ name: 'taken', callback_url: ADDRESS }],
    });
    const { body } = await create(MANIFEST);
    const before = await exported(body.app.id);
    const taken = { ...CHANGED, commands: [{ name: 'taken', callback_url: ADDRESS }] };
    expect((await update(body.app.id, taken)).body.code).toBe('name_taken');
    expect(await exported(body.app.id)).toEqual(before);
  });

  test.each([
    [{ ...MANIFEST, client_type: 'public' }, 'manifest.client_type'],
    [{ name: 'Deploys' }, 'manifest.bot_scopes'],
    [{ ...MANIFEST, event_url: 'https://10.0.0.1/' }, 'manifest.event_url'],
  ])('%j is refused at %s', async (manifest, field) => {
    const { body } = await create(MANIFEST);
    const { status, body: refused } = await update(body.app.id, manifest);
    expect([status, refused.field]).toEqual([400, field]);
  });

  test('of an app that is switched off is refused', async () => {
    const { body } = await create(MANIFEST);
    await fixture.admin('PATCH', `/apps/${body.app.id}`, { is_active: false });
    expect((await update(body.app.id, CHANGED)).body.code).toBe('app_not_available');
  });
});

test('members and admins of other spaces have no access', async () => {
  const { body } = await create(MANIFEST);
  const { token } = await fixture.space.person('member');
  const other = await BotsFixture.of(api);
  const path = `/apps/${body.app.id}/manifest`;
  expect((await other.admin('GET', path)).status).toBe(404);
  expect((await other.admin('PUT', path, { manifest: MANIFEST })).status).toBe(404);
  for (const [method, path] of [
    ['POST', 'manifest'],
    ['GET', `${body.app.id}/manifest`],
    ['PUT', `${body.app.id}/manifest`],
  ] as const)
    expect(
      (
        await api.call(method, `/api/v1/admin/apps/${path}`, {
          token,
          ...(method !== 'GET' && { body: {} }),
        })
      ).status,
    ).toBe(403);
});
