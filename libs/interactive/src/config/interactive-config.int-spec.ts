import { byBot } from '@tieline/spaces';
import { BotRateSettings } from '@tieline/conversations';
import { EgressPolicy } from '@tieline/egress';
import { SecretBox } from '@tieline/signing';
import { reencryptSecrets } from '@tieline/reencryption';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { findComponentState } from './interactive-config.queries.js';
import { InteractiveModule } from '../interactive.module.js';
import { SuppliedClicks } from '../testing/index.js';
import { SetCallbackUrl } from './set-callback-url.js';
import { BUTTONS_SECRET, INTERNAL_KEY } from '../schema/signing/component-keys.js';

const PATH = '/api/v1/bot/interactive_config';
const URL_ONE = 'https://93.184.215.14/clicks';
const URL_TWO = 'https://93.184.215.14/clicks?two=2';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '20' }, [SuppliedClicks.of(), InteractiveModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const call = (
  method: string,
  { path = '', body, token = bot.token }: { path?: string; body?: unknown; token?: string } = {},
): Promise<TestAnswer> => api.call(method, PATH + path, { token, body });
const patch = (callback_url: unknown): Promise<TestAnswer> => call('PATCH', { body: { callback_url } });
const rotate = (): Promise<TestAnswer> => call('POST', { path: '/rotate_secret' });
const show = async (): Promise<unknown> => (await call('GET')).body;
const state = (botId = bot.id) =>
  findComponentState(api.db, api.app.get(SecretBox), fixture.space.spaceId, botId);

test('a new bot has no configuration', async () => {
  expect([await call('GET')]).toMatchObject([
    { status: 200, body: { ok: true, enabled: false, callback_url: '' } },
  ]);
  expect(await state()).toBeUndefined();
});

test('the first setup returns the secret once, and later ones keep it', async () => {
  const first = await patch(URL_ONE);
  expect([first.status, first.body]).toEqual([
    200,
    { ok: true, callback_url: URL_ONE, signing_secret: expect.stringMatching(SECRET) },
  ]);
  const second = await patch(URL_TWO);
  expect([second.status, second.body]).toEqual([200, { ok: true, callback_url: URL_TWO }]);
  expect(await show()).toEqual({ ok: true, enabled: true, callback_url: URL_TWO });
  expect(await state()).toMatchObject({
    keys: { generation: 1 },
    callback: { callbackUrl: URL_TWO, signingSecret: first.body.signing_secret },
  });
});

test.each(['never configured', 'configured before'])(
  'one of ten concurrent first setups returns the secret, which is the stored one: %s',
  async (before) => {
    if (before === 'configured before') {
      await patch(URL_ONE);
      await call('DELETE');
    }
    const answers = await Promise.all(Array.from({ length: 10 }, () => patch(URL_ONE)));
    const secrets = answers.flatMap(({ status, body }) =>
      status === 200 ? (body.signing_secret ?? []) : [status],
    );
    expect(secrets).toEqual([(await state())?.callback?.signingSecret]);
  },
);

test('rotation returns a new secret and starts a new generation', async () => {
  const { signing_secret: before } = (await patch(URL_ONE)).body;
  const { status, body } = await rotate();
  expect([status, body]).toEqual([
    200,
    {
      ok: true,
      signing_secret: expect.stringMatching(SECRET),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    },
  ]);
  expect(body.signing_secret).not.toBe(before);
  expect(Math.abs(Date.parse(body.updated_at) - Date.now())).toBeLessThan(60_000);
  expect(await state()).toMatchObject({
    keys: { generation: 2 },
    callback: { callbackUrl: URL_ONE, signingSecret: body.signing_secret },
  });
});

test('rotation without configuration is 404', async () => {
  expect(await rotate()).toMatchObject({ status: 404, body: { ok: false } });
  await patch(URL_ONE);
  await call('DELETE');
  expect(await rotate()).toMatchObject({ status: 404, body: { ok: false } });
});

test('DELETE starts a new generation, and the next PATCH is a first setup', async () => {
  expect((await call('DELETE')).body).toEqual({ ok: true });
  const { signing_secret: before } = (await patch(URL_ONE)).body;
  const removed = await call('DELETE');
  expect([removed.status, removed.body]).toEqual([200, { ok: true }]);
  expect(await show()).toEqual({ ok: true, enabled: false, callback_url: '' });
  expect(await state()).toEqual({ keys: { generation: 2, internalKey: expect.any(Function) } });
  const again = await patch(URL_TWO);
  expect(again.body).toEqual({
    ok: true,
    callback_url: URL_TWO,
    signing_secret: expect.stringMatching(SECRET),
  });
  expect(again.body.signing_secret).not.toBe(before);
  expect((await state())?.keys.generation).toBe(2);
});

test.each<[string, unknown, string]>([
  ['no address', undefined, 'callback_url is required'],
  ['null', null, 'callback_url is required'],
  ['an empty address', '', 'callback_url must be an HTTPS URL'],
  ['a number', 5, 'callback_url must be a string'],
  ['no URL', 'example.com/clicks', 'callback_url must be an HTTPS URL'],
  ['http', 'http://example.com/', 'callback_url must be an HTTPS URL'],
  ['another scheme', 'ftp://example.com/', 'callback_url must be an HTTPS URL'],
  ['2049 characters', `https://example.com/${'x'.repeat(2029)}`, 'callback_url must be an HTTPS URL'],
  ['a user name', 'https://me@example.com/', 'callback_url must not contain a user name or password'],
  ['loopback', 'https://127.0.0.1/', 'callback_url: address not allowed'],
  ['localhost', 'https://localhost/', 'callback_url: address not allowed'],
  ['a private range', 'https://10.0.0.1/', 'callback_url: address not allowed'],
  ['IPv4 in IPv6', 'https://[::ffff:192.168.0.1]/', 'callback_url: address not allowed'],
])('%s gets 400 and changes nothing', async (_, url, error) => {
  await patch(URL_ONE);
  expect(await patch(url)).toMatchObject({ status: 400, body: { ok: false, error } });
  expect(await show()).toEqual({ ok: true, enabled: true, callback_url: URL_ONE });
});

test('a body that is not a JSON object gets 400 invalid JSON', async () => {
  for (const body of [undefined, '[]', '{'])
    expect(await call('PATCH', { body })).toMatchObject({ status: 400, body: { error: 'invalid JSON' } });
});

test('a host name that resolves to a private address is refused, one that does not resolve is accepted', async () => {
  const policy = (addresses: string[]) =>
    new EgressPolicy({ allowHttp: false, allowedCidrs: [], resolve: async () => addresses });
  const requester = {
    spaceId: fixture.space.spaceId,
    botId: bot.id,
    origin: byBot({ botId: bot.id }, '127.0.0.1'),
  };
  const set = (addresses: string[]) =>
    new SetCallbackUrl(api.db, api.app.get(SecretBox), policy(addresses)).run(
      requester,
      'https://clicks.example.com/',
    );
  await expect(set(['93.184.215.14', '10.0.0.1'])).rejects.toMatchObject({
    status: 400,
    text: 'callback_url: address not allowed',
  });
  await expect(set(['93.184.215.14'])).resolves.toMatch(SECRET);
  expect((await patch('https://nowhere.invalid/')).status).toBe(200);
});

test('a bot can change only its own configuration', async () => {
  const other = await fixture.bot();
  await patch(URL_ONE);
  await call('DELETE', { token: other.token });
  expect((await call('GET', { token: other.token })).body).toEqual({
    ok: true,
    enabled: false,
    callback_url: '',
  });
  expect(await show()).toMatchObject({ enabled: true });
});

test("people's, unknown and missing tokens get 401", async () => {
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate_secret'],
  ] as const) {
    const body = method === 'GET' ? undefined : {};
    for (const token of [fixture.space.owner.token, 'tlb_x'])
      expect((await call(method, { path, token, body })).status).toBe(401);
    expect(await api.call(method, PATH + path, { body })).toMatchObject({
      status: 401,
      body: { error: 'missing authorization header' },
    });
  }
  expect(await call('PUT', { body: {} })).toMatchObject({ status: 405 });
});

test("changes count as the bot's writes; refused changes and GET do not", async () => {
  const limit = api.app.get(BotRateSettings).writesPerSecond;
  const [refused, read, last] = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    await Promise.all(Array.from({ length: limit }, () => patch('http://example.com/')));
    await Promise.all(Array.from({ length: limit - 1 }, () => call('DELETE')));
    const answer = await patch(URL_ONE);
    return [await rotate(), await call('GET'), answer];
  });
  expect(last!.status).toBe(200);
  expect(refused).toMatchObject({ status: 429, body: { ok: false, error: 'rate limit exceeded' } });
  expect(refused!.headers.get('retry-after')).toBe('1');
  expect(read!.status).toBe(200);
});

test('every change is in the audit log, but never the secret', async () => {
  await patch(URL_ONE);
  const { signing_secret: secret } = (await rotate()).body;
  await call('DELETE');
  const entries = await readRows<Record<string, unknown>>(
    api.db,
    'SELECT * FROM audit_log WHERE object_id = $1 ORDER BY id',
    [bot.id],
  );
  expect(entries.slice(1)).toMatchObject([
    {
      action: 'bot.interactive_configured',
      actor_id: bot.id,
      actor_type: 'bot',
      object_type: 'bot',
      changes: { callback_url: { from: '', to: URL_ONE } },
    },
    { action: 'bot.interactive_secret_rotated', changes: {} },
    { action: 'bot.interactive_disabled', changes: { callback_url: { from: URL_ONE, to: '' } } },
  ]);
  expect(JSON.stringify(entries)).not.toContain(secret);
});

test('both keys are stored sealed, bound to the bot, and known to the re-encryption command', async () => {
  const { signing_secret: secret } = (await patch(URL_ONE)).body;
  const [row] = await readRows<{ signing_secret: Buffer; internal_key: Buffer }>(
    api.db,
    'SELECT signing_secret, internal_key FROM interactive_configs WHERE bot_id = $1',
    [bot.id],
  );
  expect(row!.signing_secret.includes(secret)).toBe(false);
  const box = api.app.get(SecretBox);
  expect(box.open(row!.signing_secret, `interactive:${bot.id}`)).toBe(secret);
  for (const [sealed, purpose] of [
    [row!.signing_secret, `interactive-internal:${bot.id}`],
    [row!.internal_key, `interactive:${bot.id}`],
  ] as const) {
    expect(() => box.open(sealed, purpose)).toThrow('not authentic');
  }
  const present = Buffer.alloc(32, 7);
  const later = new SecretBox(Buffer.alloc(32, 8), [present]);
  await reencryptSecrets(api.db, later, [BUTTONS_SECRET, INTERNAL_KEY]);
  expect(
    (await findComponentState(api.db, new SecretBox(Buffer.alloc(32, 8)), fixture.space.spaceId, bot.id))
      ?.callback?.signingSecret,
  ).toBe(secret);
  await reencryptSecrets(api.db, new SecretBox(present, [Buffer.alloc(32, 8)]), [
    BUTTONS_SECRET,
    INTERNAL_KEY,
  ]);
  expect((await state())?.callback?.signingSecret).toBe(secret);
});

test('every operation is in the OpenAPI document with its errors', async () => {
  const { paths } = (await api.call('GET', '/api/openapi.json')).body;
  const operations = { ...paths[PATH], post: paths[`${PATH}/rotate_secret`].post };
  for (const [method, errors] of Object.entries({
    get: ['401'],
    patch: ['400', '401', '429', '503'],
    delete: ['401', '429'],
    post: ['401', '404', '429'],
  })) {
    expect(Object.keys(operations[method].responses)).toEqual(expect.arrayContaining(['200', ...errors]));
  }
});

test.each([
  ['addresses', () => patch(URL_TWO)],
  ['rotations', rotate],
  ['ends', () => call('DELETE')],
])('%s at once hold two connections while they wait for each other', async (_name, change) => {
  await patch(URL_ONE);
  const { answers, waited } = await api.whileRowLocked('interactive_configs', bot.id, () =>
    Array.from({ length: 12 }, change),
  );
  expect(waited).toBe(2);
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});
