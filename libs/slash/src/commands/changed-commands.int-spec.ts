import { SecretBox, verifyVersioned } from '@tieline/signing';
import { readRows } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashAdminModule } from '../slash.module.js';
import { SlashHarness } from '../testing/index.js';
import type { SeededCommand } from '../testing/index.js';
import { forgetPreviousSecrets } from '../triggers/drop-triggers.js';
import { COMMAND_SECRET } from './callbacks/command-secret.js';

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [SlashAdminModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  command = await harness.command();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const patch = (
  body: unknown,
  { bot, id }: Pick<SeededCommand, 'bot' | 'id'> = command,
): Promise<TestAnswer> => harness.manage('PATCH', bot, { name: id, body });
const rotate = (
  body?: unknown,
  { bot, id }: Pick<SeededCommand, 'bot' | 'id'> = command,
): Promise<TestAnswer> => harness.manage('POST', bot, { name: `${id}/rotate_secret`, body });
const show = async (ref = command.id): Promise<any> =>
  (await harness.manage('GET', command.bot, { name: ref })).body.command;
const reset = async ({ bot }: SeededCommand): Promise<SeededCommand['bot']> => ({
  ...bot,
  token: (await harness.fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true })).body
    .token,
});

/** Returns the index of the secret behind each signature of the last callback. */
function signedBy(...secrets: string[]): Record<string, number> {
  const { headers, body } = harness.receiver.requests.at(-1)!;
  const by = (name: string): number =>
    secrets.findIndex((secret) =>
      verifyVersioned(secret, String(headers['x-service-timestamp']), body, String(headers[name])),
    );
  return { present: by('x-service-signature'), previous: by('x-service-signature-previous') };
}

test('a command can be read by its id in any letter case and by its name', async () => {
  const [{ body }] = await Promise.all([harness.manage('GET', command.bot)]);
  for (const ref of [command.id, command.id.toUpperCase(), command.name])
    expect(await harness.manage('GET', command.bot, { name: ref })).toMatchObject({
      status: 200,
      body: { ok: true, command: body.commands[0] },
    });
  const others = await harness.command();
  for (const ref of [others.id, others.name, 'unknown', 'NO'])
    expect(await harness.manage('GET', command.bot, { name: ref })).toMatchObject({
      status: 404,
      body: { error: 'command not found' },
    });
});

test('a change keeps the id, the secret and fields that are absent or null', async () => {
  await patch({ description: 'Deploys', usage_hint: '<service>' });
  const before = await show();
  const { status, body } = await patch({ description: '', usage_hint: null, name: null });
  expect([status, body]).toEqual([
    200,
    { ok: true, command: { ...before, description: '', updated_at: expect.any(String) } },
  ]);
  expect(Date.parse(body.command.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
  await harness.invoke(channel, `/${command.name}`);
  expect(signedBy(command.secret)).toEqual({ present: 0, previous: -1 });
});

test('a renamed command runs under its new name immediately, and earlier triggers stay valid', async () => {
  const { body: invoked } = await harness.invoke(channel, `/${command.name}`);
  const name = `${command.name}-2`;
  expect(await patch({ name })).toMatchObject({ status: 200, body: { command: { id: command.id, name } } });
  expect((await harness.invoke(channel, `/${command.name}`)).status).toBe(404);
  expect(await harness.invoke(channel, `/${name}`)).toMatchObject({ status: 200, body: { result: 'ack' } });
  const issued = await readRows(harness.api.db, 'SELECT 1 FROM slash_triggers WHERE id = $1', [
    invoked.trigger_id,
  ]);
  expect(issued).toHaveLength(1);
});

test('a taken name gets 409, one of ten concurrent changes gets a free name, and the own name is allowed', async () => {
  const others = [command, ...(await Promise.all(Array.from({ length: 9 }, () => harness.command())))];
  expect(await patch({ name: others[1]!.name })).toMatchObject({
    status: 409,
    body: { error: 'name is already registered in the space', code: 'name_taken', field: 'name' },
  });
  expect((await patch({ name: 'poll' })).body.code).toBe('name_reserved');
  expect((await patch({ name: command.name })).status).toBe(200);
  const answers = await Promise.all(others.map((one) => patch({ name: 'wanted' }, one)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});

test.each([
  [{ name: 'Deploy' }, 'invalid_field', 'name'],
  [{ description: 'x'.repeat(201) }, 'invalid_field', 'description'],
  [{ usage_hint: 5 }, 'invalid_field', 'usage_hint'],
  [{ callback_url: 'ftp://example.com' }, 'invalid_field', 'callback_url'],
  [{ callback_url: 'http://10.0.0.1/' }, 'address_not_allowed', 'callback_url'],
  [{ callback_url: '' }, 'invalid_field', 'callback_url'],
])('%j gets 400, and changes nothing', async (body, code, field) => {
  const before = await show();
  expect(await patch({ usage_hint: 'new', ...body })).toMatchObject({ status: 400, body: { code, field } });
  expect(await show()).toEqual(before);
});

test('the callback can be changed, and removed if the bot polls', async () => {
  await patch({ callback_url: `${harness.receiver.url}/moved` });
  await harness.invoke(channel, `/${command.name}`);
  expect(harness.receiver.requests.map(({ url }) => url)).toEqual(['/moved']);
  const polled = await harness.polledCommand();
  await patch({ callback_url: `${harness.receiver.url}/moved` }, polled);
  expect((await patch({ callback_url: '' }, polled)).body.command.callback_url).toBe('');
});

test('another bot’s command gets 404, another bot’s URL 403, and warnings name unknown fields', async () => {
  const others = await harness.command();
  expect((await patch({ description: 'mine' }, { bot: command.bot, id: others.id })).status).toBe(404);
  expect((await rotate({}, { bot: command.bot, id: others.id })).status).toBe(404);
  const foreign = { name: others.id, token: command.bot.token, body: {} };
  expect((await harness.manage('PATCH', others.bot, foreign)).status).toBe(403);
  expect((await harness.manage('GET', others.bot, { ...foreign, body: undefined })).status).toBe(403);
  expect((await patch({ usage: 'x' })).body.warnings).toEqual(['unknown field: usage']);
});

test('a command is deleted by its id', async () => {
  expect((await harness.manage('DELETE', command.bot, { name: command.id })).status).toBe(200);
  expect((await harness.manage('DELETE', command.bot, { name: command.id })).status).toBe(404);
});

test('without overlap only the new secret signs', async () => {
  const { status, body } = await rotate();
  expect([status, body]).toEqual([
    200,
    { ok: true, signing_secret: expect.stringMatching(/^whsec_/), updated_at: expect.any(String) },
  ]);
  await harness.invoke(channel, `/${command.name}`);
  expect(signedBy(command.secret, body.signing_secret)).toEqual({ present: 1, previous: -1 });
  expect(harness.receiver.requests[0]!.headers).not.toHaveProperty('x-service-signature-previous');
});

test('during the overlap the last two secrets sign, afterwards only the last', async () => {
  const second = (await rotate({ overlap_seconds: 3600 })).body;
  expect(Date.parse(second.previous_secret_expires_at) - Date.parse(second.updated_at)).toBe(3_600_000);
  expect((await show()).previous_secret_expires_at).toBe(second.previous_secret_expires_at);
  await harness.invoke(channel, `/${command.name}`);
  expect(signedBy(command.secret, second.signing_secret)).toEqual({ present: 1, previous: 0 });
  const third = (await rotate({ overlap_seconds: 3600 })).body;
  const secrets = [command.secret, second.signing_secret, third.signing_secret] as const;
  await harness.invoke(channel, `/${command.name}`);
  expect(signedBy(...secrets)).toEqual({ present: 2, previous: 1 });
  await harness.api.db.query('UPDATE slash_commands SET previous_secret_expires_at = now() WHERE id = $1', [
    command.id,
  ]);
  await harness.invoke(channel, `/${command.name}`);
  expect(signedBy(...secrets)).toEqual({ present: 2, previous: -1 });
  expect(await show()).not.toHaveProperty('previous_secret_expires_at');
  await forgetPreviousSecrets(harness.api.db);
  const stored = await readRows<{ previous_secret: Buffer | null; signing_secret: Buffer }>(
    harness.api.db,
    'SELECT previous_secret, signing_secret FROM slash_commands WHERE id = $1',
    [command.id],
  );
  expect(stored[0]!.previous_secret).toBeNull();
  const box = harness.api.app.get(SecretBox);
  expect(box.open(stored[0]!.signing_secret, COMMAND_SECRET.aad({ id: command.id }))).toBe(
    third.signing_secret,
  );
});

test.each([-1, 604_801, 1.5, '60', true])(
  'overlap_seconds of %j gets 400 and keeps the secret',
  async (overlap) => {
    expect(await rotate({ overlap_seconds: overlap })).toMatchObject({
      status: 400,
      body: { field: 'overlap_seconds' },
    });
    await harness.invoke(channel, `/${command.name}`);
    expect(signedBy(command.secret)).toEqual({ present: 0, previous: -1 });
  },
);

test.each(['callback first', 'secret first'])(
  'after a reset a command becomes active with a callback and a secret, %s',
  async (order) => {
    await rotate({ overlap_seconds: 3600 });
    const bot = await reset(command);
    const again = { bot, id: command.id };
    const steps = [
      () => patch({ callback_url: `${harness.receiver.url}/again` }, again),
      () => rotate({ overlap_seconds: 60 }, again),
    ];
    if (order === 'secret first') steps.reverse();
    expect((await steps[0]!()).status).toBe(200);
    expect((await harness.invoke(channel, `/${command.name}`)).status).toBe(404);
    const { status, body } = await steps[1]!();
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('previous_secret_expires_at');
    expect(await harness.invoke(channel, `/${command.name}`)).toMatchObject({ status: 200 });
    expect(harness.receiver.requests.at(-1)!.headers).not.toHaveProperty('x-service-signature-previous');
  },
);

test.each(['mode first', 'secret first'])(
  'after a reset a bot that polls needs a new secret, %s',
  async (order) => {
    const polled = await harness.polledCommand();
    const bot = await reset(polled);
    const listed = async () => (await harness.manage('GET', bot)).body.commands.length as number;
    expect(await listed()).toBe(0);
    const steps = [
      () =>
        harness.api.call('PATCH', '/api/v1/bot/me', {
          token: bot.token,
          body: { event_delivery_mode: 'poll' },
        }),
      () => rotate({}, { bot, id: polled.id }),
    ];
    if (order === 'secret first') steps.reverse();
    expect((await steps[0]!()).status).toBe(200);
    expect((await harness.invoke(channel, `/${polled.name}`)).status).toBe(404);
    expect((await steps[1]!()).status).toBe(200);
    expect(await listed()).toBe(1);
    expect(await harness.invoke(channel, `/${polled.name}`)).toMatchObject({
      status: 200,
      body: { result: 'ack' },
    });
  },
);

test('a reset of the bot also removes the previous secret', async () => {
  await rotate({ overlap_seconds: 3600 });
  await reset(command);
  expect(
    await readRows(
      harness.api.db,
      'SELECT signing_secret, previous_secret, previous_secret_expires_at FROM slash_commands WHERE id = $1',
      [command.id],
    ),
  ).toEqual([{ signing_secret: null, previous_secret: null, previous_secret_expires_at: null }]);
});

test('changes and rotations are in the audit log, without secrets', async () => {
  await patch({ description: 'Deploys', usage_hint: '' });
  await patch({});
  const { signing_secret: secret } = (await rotate({ overlap_seconds: 60 })).body;
  const { body } = await harness.fixture.admin('GET', '/audit_log?limit=50');
  const entries = body.entries.filter(({ object_id: id }: { object_id: string }) => id === command.id);
  expect(entries).toMatchObject([
    { action: 'slash_command.secret_rotated', actor_type: 'bot', actor_id: command.bot.id, changes: {} },
    { action: 'slash_command.updated', changes: { description: { from: '', to: 'Deploys' } } },
    { action: 'slash_command.registered' },
  ]);
  for (const one of [secret, command.secret]) expect(JSON.stringify(body)).not.toContain(one);
});

test.each([
  ['rotated', (): Promise<TestAnswer> => rotate(), [200, 200]],
  [
    'deleted',
    (): Promise<TestAnswer> => harness.manage('DELETE', command.bot, { name: command.name }),
    [200, 404],
  ],
] as const)(
  'many concurrent requests by which it is %s use at most two connections while they wait',
  async (_name, change, [first, later]) => {
    const { answers, waited } = await harness.api.whileRowLocked('slash_commands', command.id, () =>
      Array.from({ length: 12 }, change),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status).sort()).toEqual([first, ...Array(11).fill(later)]);
  },
);
