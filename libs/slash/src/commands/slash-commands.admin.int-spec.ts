import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashAdminModule } from '../slash.module.js';
import { SlashRig } from '../testing/index.js';

let rig: SlashRig;
beforeAll(async () => {
  rig = await SlashRig.start({}, [SlashAdminModule]);
});
afterAll(() => rig?.close());

const admin = (method: string, bot: SeededBot, path = ''): Promise<TestAnswer> =>
  rig.fixture.admin(method, `/bots/${bot.id}/commands${path}`);
const reset = async (bot: SeededBot): Promise<string> =>
  (await rig.fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true })).body.token as string;
const offered = async (): Promise<string[]> => {
  const { body } = await rig.api.call('GET', '/api/v1/client/commands', { token: rig.person.token });
  return body.commands.map(({ name }: { name: string }) => name);
};

test('an admin sees a bot’s commands with their addresses and never a secret', async () => {
  const { bot, id, name, secret } = await rig.command();
  const own = (await rig.manage('GET', bot)).body;
  const { status, body } = await admin('GET', bot);
  expect([status, body]).toEqual([200, own]);
  expect(body.commands).toMatchObject([
    { id, name, callback_url: `${rig.receiver.url}/slash`, is_active: true },
  ]);
  expect(JSON.stringify(body)).not.toContain(secret);
});

test('an admin deletes one command of a bot, or all; the audit log says who', async () => {
  const { bot, id } = await rig.command();
  const others = [await rig.command({ bot }), await rig.command({ bot })];
  const strangers = await rig.command();
  expect((await admin('DELETE', bot, `/${strangers.id}`)).status).toBe(404);
  expect((await admin('DELETE', bot, `/${id}`)).status).toBe(200);
  expect((await admin('DELETE', bot, `/${id}`)).status).toBe(404);
  expect((await admin('GET', bot)).body.commands).toHaveLength(2);
  expect((await admin('DELETE', bot)).status).toBe(200);
  expect((await admin('DELETE', bot)).status).toBe(200);
  expect((await admin('GET', bot)).body.commands).toEqual([]);
  expect((await admin('GET', strangers.bot)).body.commands).toHaveLength(1);
  const { entries } = (await rig.fixture.admin('GET', '/audit_log?limit=200')).body;
  const deleted = entries.filter(({ action }: { action: string }) => action === 'slash_command.deleted');
  expect(deleted.map(({ object_id: one }: { object_id: string }) => one).sort()).toEqual(
    [id, ...others.map((other) => other.id)].sort(),
  );
  for (const entry of deleted)
    expect(entry).toMatchObject({ actor_type: 'user', actor_id: rig.fixture.space.owner.id });
});

test('after a reset of the bot its commands are inactive: 404, and nobody is offered them or called back', async () => {
  const { bot, name } = await rig.command();
  const others = await rig.command();
  const channel = await rig.channel(bot, others.bot);
  expect((await rig.invoke(channel, `/${name}`)).status).toBe(200);
  const asked = rig.receiver.requests.length;
  await reset(bot);
  expect(await rig.invoke(channel, `/${name}`)).toMatchObject({
    status: 404,
    body: { error: 'command not found' },
  });
  expect(rig.receiver.requests).toHaveLength(asked);
  expect(await offered()).not.toContain(name);
  expect(await offered()).toContain(others.name);
  expect((await admin('GET', bot)).body.commands).toMatchObject([
    { name, is_active: false, callback_url: '' },
  ]);
  expect((await rig.invoke(channel, `/${others.name}`)).status).toBe(200);
});

test('a command that is registered again after a reset is active, with a secret of its own', async () => {
  const { bot, name, secret } = await rig.command();
  const channel = await rig.channel(bot);
  const again = { ...bot, token: await reset(bot) };
  expect((await rig.manage('DELETE', again, { name })).status).toBe(200);
  const command = await rig.command({ bot: again, name });
  expect(command.secret).not.toBe(secret);
  expect((await rig.invoke(channel, `/${name}`)).status).toBe(200);
});

test('no secret of a command is left after a reset', async () => {
  const { bot, id } = await rig.command();
  await reset(bot);
  expect(await rig.api.db.query('SELECT signing_secret FROM slash_commands WHERE id = $1', [id])).toEqual([
    { signing_secret: null },
  ]);
});
