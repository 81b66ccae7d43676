import { OAuthFixture, startAppsApi } from '@tieline/apps/testing';
import type { SeededApp } from '@tieline/apps/testing';
import { shortcutsOfBot } from '@tieline/interactive';
import { SecretBox } from '@tieline/signing';
import { COMMAND_SECRET, commandsOfBot } from '@tieline/slash';
import type { TestApi } from '@tieline/spaces/testing';
import { AppManifestsModule } from './app-manifests.module.js';

const ADDRESS = 'http://127.0.0.1:9/';
const MANIFEST = {
  name: 'Deploys',
  redirect_uris: ['https://app.example/callback'],
  bot_scopes: ['messages:write', 'commands', 'interactive', 'events'],
  event_url: `${ADDRESS}events`,
  distribution: 'listed',
  bot: { event_types: ['MESSAGE_CREATED'] },
  commands: [
    { name: 'deploy', description: 'Deploys a service', callback_url: `${ADDRESS}slash` },
    { name: 'undo', callback_url: `${ADDRESS}slash` },
  ],
  shortcuts: [{ callback_id: 'new_ticket', name: 'New ticket', type: 'global' }],
};

let api: TestApi;
let home: OAuthFixture;
let other: OAuthFixture;
beforeAll(async () => {
  const env = { EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOWED_CIDRS: '127.0.0.0/8' };
  api = await startAppsApi(env, [AppManifestsModule]);
});
beforeEach(async () => {
  home = await OAuthFixture.of(api);
  other = await OAuthFixture.of(api);
});
afterAll(() => api?.close());

/** A listed app, and the secrets of its commands by their names. */
async function listedApp(
  more: object = {},
): Promise<{ app: SeededApp; secrets: Record<string, string>; botId: string }> {
  const { status, body } = await home.admin('POST', '/apps/manifest', { manifest: { ...MANIFEST, ...more } });
  if (status !== 201) throw new Error(JSON.stringify(body));
  await api.db.query('UPDATE apps SET is_listed = true WHERE id = $1', [body.app.id]);
  const created = body.created as { type: string; name: string; id: string; signing_secret: string }[];
  const ofType = (type: string) => created.filter((part) => part.type === type);
  return {
    app: {
      id: body.app.id,
      clientId: body.app.client_id,
      clientSecret: body.client_secret,
      scope: body.app.bot_scopes.join(' '),
    },
    secrets: Object.fromEntries(ofType('command').map(({ name, signing_secret }) => [name, signing_secret])),
    botId: ofType('bot')[0]?.id ?? '',
  };
}

/** Returns the commands of a bot that can be invoked. */
const active = async ({ space }: OAuthFixture, botId: string) =>
  (await commandsOfBot(api.db, space.spaceId, botId)).filter(({ isActive }) => isActive);

async function secretOf(id: string): Promise<string> {
  const [row] = (await api.db.query('SELECT signing_secret FROM slash_commands WHERE id = $1', [id])) as {
    signing_secret: Buffer;
  }[];
  return api.app.get(SecretBox).open(row?.signing_secret ?? Buffer.alloc(0), COMMAND_SECRET.aad({ id }));
}

const uninstall = async (fixture: OAuthFixture): Promise<void> => {
  const [{ id }] = (await fixture.admin('GET', '/installations')).body.installations;
  await fixture.admin('DELETE', `/installations/${id}`);
};

test('the bot in another space has the commands and shortcuts of the app, with their secrets', async () => {
  const { app, secrets } = await listedApp();
  const { bot } = await other.install(app);
  const commands = await active(other, bot.id);
  expect(commands).toMatchObject([
    { name: 'deploy', description: 'Deploys a service', callbackUrl: `${ADDRESS}slash` },
    { name: 'undo' },
  ]);
  for (const { id, name } of commands) expect(await secretOf(id)).toBe(secrets[name]);
  expect(await shortcutsOfBot(api.db, other.space.spaceId, bot.id)).toMatchObject([
    { callbackId: 'new_ticket', name: 'New ticket' },
  ]);
});

test('an uninstallation ends the commands, and another installation brings them back', async () => {
  const { app, secrets } = await listedApp();
  const { bot } = await other.install(app);
  const before = (await active(other, bot.id)).map(({ id }) => id);
  await uninstall(other);
  expect(await active(other, bot.id)).toEqual([]);
  await other.install(app);
  const commands = await active(other, bot.id);
  expect(commands.map(({ id }) => id)).toEqual(before);
  for (const { id, name } of commands) expect(await secretOf(id)).toBe(secrets[name]);
});

test('the bot in another space receives the same events', async () => {
  const events = { event_types: ['MESSAGE_CREATED'], slack_events: ['app_mention'] };
  const { app } = await listedApp({ event_format: 'slack', bot: events });
  const { bot } = await other.install(app);
  expect((await other.admin('GET', `/bots/${bot.id}`)).body.bot).toMatchObject(events);
});

test('a changed manifest reaches another space with the next installation', async () => {
  const { app } = await listedApp();
  const { bot } = await other.install(app);
  const entries = async () =>
    (await other.admin('GET', '/audit_log')).body.entries.map(({ action }: any) => action);
  const commandEntries = async () =>
    (await entries()).filter((action: string) => action.startsWith('slash_command.')).length;
  const recorded = await commandEntries();
  await other.install(app);
  expect(await commandEntries()).toBe(recorded);
  const commands = [{ ...MANIFEST.commands[0], description: 'Releases a service' }];
  await home.admin('PUT', `/apps/${app.id}/manifest`, { manifest: { ...MANIFEST, commands } });
  await other.install(app);
  const [deploy] = await active(other, bot.id);
  expect(deploy?.description).toBe('Releases a service');
});

test('a command whose name is taken in the other space is left out', async () => {
  const { status } = await other.admin('POST', '/apps/manifest', {
    manifest: {
      name: 'First',
      bot_scopes: ['commands'],
      commands: [{ name: 'deploy', callback_url: ADDRESS }],
    },
  });
  expect(status).toBe(201);
  const { bot } = await other.install((await listedApp()).app);
  expect((await active(other, bot.id)).map(({ name }) => name)).toEqual(['undo']);
});

test('without its scope a bot gets no commands and no shortcuts', async () => {
  const { app } = await listedApp();
  const { bot } = await other.install({ ...app, scope: 'messages:write' });
  expect(await active(other, bot.id)).toEqual([]);
  expect(await shortcutsOfBot(api.db, other.space.spaceId, bot.id)).toEqual([]);
});

test('an app that polls also polls in another space, and after it is installed again', async () => {
  const { app, botId } = await listedApp({
    event_url: '',
    bot: { event_delivery_mode: 'poll' },
    commands: [{ name: 'deploy' }],
  });
  const { bot } = await other.install(app);
  const mode = async (fixture: OAuthFixture, id: string) =>
    (await fixture.admin('GET', `/bots/${id}`)).body.bot.event_delivery_mode;
  expect(await mode(other, bot.id)).toBe('poll');
  expect((await active(other, bot.id)).map(({ name }) => name)).toEqual(['deploy']);
  await home.install(app);
  expect(await mode(home, botId)).toBe('poll');
});
