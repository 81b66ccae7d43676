import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashAdminModule } from '../slash.module.js';
import { SlashHarness } from '../testing/index.js';

let harness: SlashHarness;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [SlashAdminModule]);
});
afterAll(() => harness?.close());

const admin = (method: string, bot: SeededBot, path = ''): Promise<TestAnswer> =>
  harness.fixture.admin(method, `/bots/${bot.id}/commands${path}`);
const reset = async (bot: SeededBot): Promise<string> =>
  (await harness.fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true })).body
    .token as string;
const offered = async (): Promise<string[]> => {
  const { body } = await harness.api.call('GET', '/api/v1/client/commands', { token: harness.person.token });
  return body.commands.map(({ name }: { name: string }) => name);
};

test('an admin sees a bot’s commands with their addresses but never a secret', async () => {
  const { bot, id, name, secret } = await harness.command();
  const own = (await harness.manage('GET', bot)).body;
  const { status, body } = await admin('GET', bot);
  expect([status, body]).toEqual([200, own]);
  expect(body.commands).toMatchObject([
    { id, name, callback_url: `${harness.receiver.url}/slash`, is_active: true },
  ]);
  expect(JSON.stringify(body)).not.toContain(secret);
});

test('an admin can delete one or all commands of a bot, and the audit log names the admin', async () => {
  const { bot, id } = await harness.command();
  const others = [await harness.command({ bot }), await harness.command({ bot })];
  const strangers = await harness.command();
  expect((await admin('DELETE', bot, `/${strangers.id}`)).status).toBe(404);
  expect((await admin('DELETE', bot, `/${id}`)).status).toBe(200);
  expect((await admin('DELETE', bot, `/${id}`)).status).toBe(404);
  expect((await admin('GET', bot)).body.commands).toHaveLength(2);
  expect((await admin('DELETE', bot)).status).toBe(200);
  expect((await admin('DELETE', bot)).status).toBe(200);
  expect((await admin('GET', bot)).body.commands).toEqual([]);
  expect((await admin('GET', strangers.bot)).body.commands).toHaveLength(1);
  const { entries } = (await harness.fixture.admin('GET', '/audit_log?limit=200')).body;
  const deleted = entries.filter(({ action }: { action: string }) => action === 'slash_command.deleted');
  expect(deleted.map(({ object_id: one }: { object_id: string }) => one).sort()).toEqual(
    [id, ...others.map((other) => other.id)].sort(),
  );
  for (const entry of deleted)
    expect(entry).toMatchObject({ actor_type: 'user', actor_id: harness.fixture.space.owner.id });
});

test('after a reset of the bot its commands are inactive: not listed, not called, 404', async () => {
  const { bot, name } = await harness.command();
  const others = await harness.command();
  const channel = await harness.channel(bot, others.bot);
  expect((await harness.invoke(channel, `/${name}`)).status).toBe(200);
  const asked = harness.receiver.requests.length;
  await reset(bot);
  expect(await harness.invoke(channel, `/${name}`)).toMatchObject({
    status: 404,
    body: { error: 'command not found' },
  });
  expect(harness.receiver.requests).toHaveLength(asked);
  expect(await offered()).not.toContain(name);
  expect(await offered()).toContain(others.name);
  expect((await admin('GET', bot)).body.commands).toMatchObject([
    { name, is_active: false, callback_url: '' },
  ]);
  expect((await harness.invoke(channel, `/${others.name}`)).status).toBe(200);
});

test('a command registered again after a reset is active and has a new secret', async () => {
  const { bot, name, secret } = await harness.command();
  const channel = await harness.channel(bot);
  const again = { ...bot, token: await reset(bot) };
  expect((await harness.manage('DELETE', again, { name })).status).toBe(200);
  const command = await harness.command({ bot: again, name });
  expect(command.secret).not.toBe(secret);
  expect((await harness.invoke(channel, `/${name}`)).status).toBe(200);
});

test('a reset removes the secrets of commands', async () => {
  const { bot, id } = await harness.command();
  await reset(bot);
  expect(await harness.api.db.query('SELECT signing_secret FROM slash_commands WHERE id = $1', [id])).toEqual(
    [{ signing_secret: null }],
  );
});
