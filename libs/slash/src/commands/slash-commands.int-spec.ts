import { SecretBox } from '@tieline/signing';
import { reencryptSecrets } from '@tieline/reencryption';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { COMMAND_SECRET } from './callbacks/command-secret.js';
import { SlashHarness } from '../testing/index.js';

const URL = 'https://93.184.215.14/slash';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

let harness: SlashHarness;
let bot: SeededBot;
let serial = 0;
const freshName = (): string => `name-${(serial += 1)}`;
const register = (body: unknown, owner = bot): Promise<TestAnswer> => harness.manage('POST', owner, { body });
const valid = (more: Record<string, unknown> = {}) => ({ name: freshName(), callback_url: URL, ...more });
const statuses = (answers: TestAnswer[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

beforeAll(async () => {
  harness = await SlashHarness.start({ EGRESS_ALLOW_HTTP: 'false', EGRESS_ALLOWED_CIDRS: '' });
});
beforeEach(async () => {
  // Each test has its own space, because limits and names are per space.
  harness = await harness.otherSpace();
  bot = await harness.fixture.bot();
});
afterAll(() => harness?.close());

test('registering a command returns its secret once', async () => {
  const body = {
    name: 'deploy',
    description: 'Deploys',
    usage_hint: '<service>',
    callback_url: URL,
    id: 'mine',
    is_active: false,
    signing_secret: 'mine',
    bot_id: 'x',
  };
  const answer = await register(body);
  const command = {
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    space_id: harness.fixture.space.spaceId,
    bot_id: bot.id,
    name: 'deploy',
    description: 'Deploys',
    usage_hint: '<service>',
    callback_url: URL,
    is_active: true,
    created_at: expect.stringMatching(TIME),
    updated_at: expect.stringMatching(TIME),
  };
  expect([answer.status, answer.body]).toEqual([
    201,
    {
      ...{ ok: true, command, signing_secret: expect.stringMatching(SECRET) },
      warnings: ['id', 'is_active', 'signing_secret', 'bot_id'].map((field) => `unknown field: ${field}`),
    },
  ]);
  const list = await harness.manage('GET', bot);
  expect([list.status, list.body]).toEqual([200, { ok: true, commands: [command] }]);
});

test('missing and null fields become empty, and limits are inclusive and count characters', async () => {
  const polling = await harness.fixture.bot({ event_delivery_mode: 'poll' });
  for (const nothing of [
    {},
    { description: null, usage_hint: null, callback_url: null },
    { description: '', usage_hint: '', callback_url: '' },
  ]) {
    const { status, body } = await register({ name: freshName(), ...nothing }, polling);
    expect([status, body.command.description, body.command.usage_hint, body.command.callback_url]).toEqual([
      201,
      '',
      '',
      '',
    ]);
  }
  const long = { name: `a${'-_9'.repeat(10)}z`, description: '😀'.repeat(200), usage_hint: '😀'.repeat(100) };
  expect(await register(valid(long))).toMatchObject({ status: 201, body: { command: long } });
  expect((await register(valid({ name: 'a' }))).status).toBe(201);
});

test.each<[string, Record<string, unknown>, string]>([
  ['no name', { name: undefined }, 'name is required'],
  ['a name of null', { name: null }, 'name is required'],
  ['a number', { name: 5 }, 'name must be a string'],
  ['an empty name', { name: '' }, 'name must match'],
  ['33 characters', { name: 'a'.repeat(33) }, 'name must match'],
  ['capitals', { name: 'Deploy' }, 'name must match'],
  ['a slash', { name: '/deploy' }, 'name must match'],
  ['a digit first', { name: '1st' }, 'name must match'],
  ['a space', { name: 'a b' }, 'name must match'],
  ['a line end', { name: 'a\n' }, 'name must match'],
  ['201 characters of description', { description: 'x'.repeat(201) }, 'description too long (max 200 chars)'],
  ['101 characters of usage_hint', { usage_hint: 'x'.repeat(101) }, 'usage_hint too long (max 100 chars)'],
  ['a description that is a list', { description: [] }, 'description must be a string'],
  ['a usage_hint that is a number', { usage_hint: 1 }, 'usage_hint must be a string'],
  ['no callback_url', { callback_url: undefined }, 'callback_url is required'],
  ['an empty callback_url', { callback_url: '' }, 'callback_url is required'],
  ['http', { callback_url: 'http://93.184.215.14/' }, 'callback_url must be an HTTPS URL'],
  ['no URL', { callback_url: 'https://' }, 'callback_url must be an HTTPS URL'],
  ['another scheme', { callback_url: 'ftp://93.184.215.14/' }, 'callback_url must be an HTTPS URL'],
  ['a number for a URL', { callback_url: 5 }, 'callback_url must be an HTTPS URL'],
  [
    'a URL over 2048 characters',
    { callback_url: `${URL}?${'x'.repeat(2048)}` },
    'callback_url must be an HTTPS URL',
  ],
  [
    'a user name',
    { callback_url: 'https://me@93.184.215.14/' },
    'callback_url must not contain a user name or password',
  ],
  ['a private address', { callback_url: 'https://10.0.0.1/' }, 'callback_url: address not allowed'],
  ['the metadata service', { callback_url: 'https://169.254.169.254/' }, 'callback_url: address not allowed'],
  ['this machine', { callback_url: 'https://localhost/' }, 'callback_url: address not allowed'],
  [
    'an embedded private address',
    { callback_url: 'https://[::ffff:10.0.0.1]/' },
    'callback_url: address not allowed',
  ],
  ['a decimal loopback', { callback_url: 'https://2130706433/' }, 'callback_url: address not allowed'],
])('%s gets 400', async (_, change, text) => {
  const { status, body } = await register(valid(change));
  const [field] = Object.keys(change);
  const code = text.endsWith('not allowed') ? 'address_not_allowed' : 'invalid_field';
  expect([status, body]).toEqual([400, { ok: false, error: expect.stringContaining(text), code, field }]);
  expect((await harness.manage('GET', bot)).body.commands).toEqual([]);
});

test('a missing body and a body that is not an object get 400', async () => {
  for (const body of [undefined, [], 'x'])
    expect(await register(body)).toMatchObject({ status: 400, body: { error: 'invalid JSON' } });
});

test('the address of a polling bot is checked too, and mode webhook needs one', async () => {
  const polling = await harness.fixture.bot({ event_delivery_mode: 'poll' });
  expect((await register(valid({ callback_url: 'https://10.0.0.1/' }), polling)).status).toBe(400);
  const pushed = await harness.fixture.bot({ event_delivery_mode: 'webhook', webhook_url: URL });
  expect((await register({ name: freshName() }, pushed)).status).toBe(400);
});

test.each(['poll', 'remind'])('%s is reserved', async (name) => {
  expect(await register(valid({ name }))).toMatchObject({
    status: 409,
    body: { ok: false, error: 'name is reserved' },
  });
});

test('a name is unique in a space across bots, and one of ten concurrent registrations gets it', async () => {
  const { name } = await harness.command({ bot, callback_url: URL });
  const other = await harness.fixture.bot();
  for (const owner of [bot, other])
    expect(await register(valid({ name }), owner)).toMatchObject({
      status: 409,
      body: { ok: false, error: 'name is already registered in the space' },
    });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => register(valid({ name: 'wanted' }), n % 2 ? bot : other)),
  );
  expect(statuses(answers)).toEqual({ 201: 1, 409: 9 });
  expect((await register(valid({ name }), await (await harness.otherSpace()).fixture.bot())).status).toBe(
    201,
  );
});

test('a bot can have 25 commands, also with concurrent registrations; deleting one frees a place', async () => {
  const { answers, waited } = await harness.api.whileLocked(
    'slash_commands',
    harness.fixture.space.spaceId,
    () => Array.from({ length: 30 }, () => register(valid())),
  );
  // The others wait without a connection.
  expect(waited).toBe(2);
  expect(statuses(answers)).toEqual({ 201: 25, 402: 5 });
  expect(answers.find(({ status }) => status === 402)?.body).toEqual({
    ok: false,
    error: 'command limit reached',
    code: 'limit_reached',
  });
  const { commands } = (await harness.manage('GET', bot)).body;
  expect(commands).toHaveLength(25);
  expect((await harness.manage('DELETE', bot, { name: commands[0].name })).status).toBe(200);
  expect((await register(valid())).status).toBe(201);
  expect((await register(valid())).status).toBe(402);
});

test('a space can have 100 commands, also with concurrent registrations; those of a deleted bot do not count', async () => {
  const bots = await Promise.all(Array.from({ length: 5 }, () => harness.fixture.bot()));
  const answers = await Promise.all(Array.from({ length: 110 }, (_, n) => register(valid(), bots[n % 5])));
  expect(statuses(answers)).toEqual({ 201: 100, 402: 10 });
  const taken = (await harness.manage('GET', bots[0]!)).body.commands as { name: string }[];
  expect((await harness.fixture.admin('DELETE', `/bots/${bots[0]!.id}`)).status).toBe(200);
  expect((await register(valid({ name: taken[0]!.name }))).status).toBe(201);
});

test('the name of a deleted command can be registered again with a new secret', async () => {
  const first = await harness.command({ bot, callback_url: URL });
  const answer = await harness.manage('DELETE', bot, { name: first.name });
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  expect((await harness.manage('GET', bot)).body.commands).toEqual([]);
  expect(await harness.manage('DELETE', bot, { name: first.name })).toMatchObject({
    status: 404,
    body: { ok: false, error: 'command not found' },
  });
  const second = await harness.command({ bot, name: first.name, callback_url: URL });
  expect([second.id, second.secret]).not.toContain(first.id);
  expect(second.secret).not.toBe(first.secret);
});

test("unknown, built-in, other bots' and invalid names get 404", async () => {
  const other = await harness.command({ callback_url: URL });
  for (const name of ['unknown', other.name, 'poll', '%00', 'A', 'a%2Fb'])
    expect((await harness.manage('DELETE', bot, { name })).status).toBe(404);
  expect((await harness.manage('GET', other.bot)).body.commands).toHaveLength(1);
});

test("403 for another bot's token before the body is checked, 401 for a person's token, 404 for a malformed id", async () => {
  const other = await harness.command({ callback_url: URL });
  const stranger = await (await harness.otherSpace()).fixture.bot();
  for (const token of [bot.token, stranger.token]) {
    const answers = await Promise.all([
      harness.manage('POST', other.bot, { token, body: {} }),
      harness.manage('GET', other.bot, { token }),
      harness.manage('DELETE', other.bot, { token, name: other.name }),
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, body: { ok: false, error: 'token of another bot' } });
  }
  for (const token of [harness.person.token, 'nonsense'])
    expect((await harness.manage('GET', bot, { token })).status).toBe(401);
  expect((await harness.manage('GET', { ...bot, id: 'x' })).status).toBe(404);
  expect((await harness.manage('GET', { ...bot, id: bot.id.toUpperCase() })).status).toBe(200);
});

test('the secret is stored sealed and can be re-encrypted', async () => {
  const command = await harness.command({ bot, callback_url: URL });
  const stored = async (): Promise<Buffer> =>
    (
      await readRows<{ signing_secret: Buffer }>(
        harness.api.db,
        'SELECT signing_secret FROM slash_commands WHERE id = $1',
        [command.id],
      )
    )[0]!.signing_secret;
  expect((await stored()).includes(command.secret)).toBe(false);
  const purpose = COMMAND_SECRET.aad({ id: command.id });
  expect(harness.api.app.get(SecretBox).open(await stored(), purpose)).toBe(command.secret);
  expect(() => harness.api.app.get(SecretBox).open(Buffer.from('nothing'), purpose)).toThrow();
  const [present, next] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];
  await reencryptSecrets(harness.api.db, new SecretBox(next, [present]), [COMMAND_SECRET]);
  expect(new SecretBox(next).open(await stored(), purpose)).toBe(command.secret);
  await reencryptSecrets(harness.api.db, new SecretBox(present, [next]), [COMMAND_SECRET]);
});

test('registrations and deletions are in the audit log, without the secret', async () => {
  const command = await harness.command({ bot, callback_url: URL });
  await harness.manage('DELETE', bot, { name: command.name });
  const { body } = await harness.fixture.admin('GET', '/audit_log');
  const entries = body.entries.filter(({ object_id: id }: { object_id: string }) => id === command.id);
  expect(entries).toEqual([
    expect.objectContaining({
      action: 'slash_command.deleted',
      actor_id: bot.id,
      actor_type: 'bot',
      changes: { name: { from: command.name, to: null } },
    }),
    expect.objectContaining({
      action: 'slash_command.registered',
      actor_id: bot.id,
      changes: expect.objectContaining({ callback_url: { from: null, to: URL } }),
    }),
  ]);
  expect(JSON.stringify(body)).not.toContain(command.secret);
});

test('every operation is in the OpenAPI document with its errors', async () => {
  const { paths } = (await harness.api.call('GET', '/api/openapi.json')).body;
  const statusesOf = (path: string, method: string): string[] => Object.keys(paths[path][method].responses);
  expect(statusesOf('/api/v1/bots/{bot_id}/commands', 'post')).toEqual(
    expect.arrayContaining(['201', '400', '401', '402', '403', '409', '429']),
  );
  expect(statusesOf('/api/v1/bots/{bot_id}/commands', 'get')).toEqual(
    expect.arrayContaining(['200', '401', '403']),
  );
  expect(statusesOf('/api/v1/bots/{bot_id}/commands/{command_id}', 'delete')).toEqual(
    expect.arrayContaining(['200', '401', '403', '404']),
  );
  expect(statusesOf('/api/v1/client/commands', 'get')).toEqual(expect.arrayContaining(['200', '401']));
  expect(statusesOf('/api/v1/client/conversations/{id}/commands', 'post')).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '404', '429']),
  );
});
