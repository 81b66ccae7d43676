import { SecretBox } from '@tieline/signing';
import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { InteractiveAdminModule, InteractiveModule } from '../interactive.module.js';
import { SuppliedClicks } from '../testing/index.js';
import { findComponentState } from './interactive-config.queries.js';

const CALLBACK = 'https://93.184.215.14/clicks';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;

beforeAll(async () => {
  api = await startBotsApi({}, [SuppliedClicks.of(), InteractiveModule, InteractiveAdminModule]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
});
afterAll(() => api?.close());

const configure = async (token = bot.token): Promise<any> =>
  (await api.call('PATCH', '/api/v1/bot/interactive_config', { token, body: { callback_url: CALLBACK } }))
    .body;
const admin = (method: string, body?: object): Promise<TestAnswer> =>
  fixture.admin(method, `/bots/${bot.id}/interactive_config`, body);
const state = () => findComponentState(api.db, api.app.get(SecretBox), fixture.space.spaceId, bot.id);

test('an admin sees the callback address for a bot’s clicks but never the secret', async () => {
  const nothing = { ok: true, enabled: false, callback_url: '' };
  expect([(await admin('GET')).status, (await admin('GET')).body]).toEqual([200, nothing]);
  await configure();
  expect((await admin('GET')).body).toEqual({ ok: true, enabled: true, callback_url: CALLBACK });
});

test('after an admin disables callbacks the buttons are invalid and the next setup creates a new secret', async () => {
  const { signing_secret: secret } = await configure();
  const before = await state();
  expect([(await admin('DELETE')).status, (await admin('DELETE')).status]).toEqual([200, 200]);
  expect((await state())?.keys.generation).toBeGreaterThan(before!.keys.generation);
  expect((await admin('GET')).body.enabled).toBe(false);
  const again = await configure();
  expect(again.signing_secret).toMatch(/^whsec_/);
  expect(again.signing_secret).not.toBe(secret);
  const { entries } = (await fixture.admin('GET', '/audit_log')).body;
  expect(
    entries.find(({ action }: { action: string }) => action === 'bot.interactive_disabled'),
  ).toMatchObject({ actor_type: 'user', actor_id: fixture.space.owner.id, object_id: bot.id });
});

test('an admin can set the callback address and rotate the secret like the bot itself', async () => {
  const set = await admin('PATCH', { callback_url: CALLBACK });
  expect(set.body).toEqual({
    ok: true,
    callback_url: CALLBACK,
    signing_secret: expect.stringMatching(/^whsec_/),
  });
  const again = await admin('PATCH', { callback_url: `${CALLBACK}/2` });
  expect(again.body).toEqual({ ok: true, callback_url: `${CALLBACK}/2` });
  expect((await admin('PATCH', { callback_url: 'http://127.0.0.1/' })).status).toBe(400);
  const path = `/bots/${bot.id}/interactive_config/rotate_secret`;
  const rotated = await fixture.admin('POST', path, { overlap_seconds: 60 });
  expect(rotated.body).toMatchObject({
    signing_secret: expect.stringMatching(/^whsec_/),
    previous_secret_expires_at: expect.any(String),
  });
  expect(rotated.body.signing_secret).not.toBe(set.body.signing_secret);
  expect((await state())?.callback).toMatchObject({
    signingSecret: rotated.body.signing_secret,
    previousSecret: set.body.signing_secret,
  });
  const { entries } = (await fixture.admin('GET', `/audit_log?object_id=${bot.id}&limit=3`)).body;
  expect(entries.map(({ action, actor_type }: any) => [action, actor_type])).toEqual([
    ['bot.interactive_secret_rotated', 'user'],
    ['bot.interactive_configured', 'user'],
    ['bot.interactive_configured', 'user'],
  ]);
  const none = await fixture.bot();
  expect((await fixture.admin('POST', `/bots/${none.id}/interactive_config/rotate_secret`)).status).toBe(404);
});

test('resetting the bot removes its configuration and leaves other bots unchanged', async () => {
  const other = await fixture.bot();
  await configure(other.token);
  const { signing_secret: secret } = await configure();
  const before = await state();
  const { body } = await fixture.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true });
  expect(await state()).toMatchObject({ keys: { generation: before!.keys.generation + 1 } });
  expect(await state()).not.toHaveProperty('callback');
  const again = await configure(body.token as string);
  expect(again.signing_secret).toMatch(/^whsec_/);
  expect(again.signing_secret).not.toBe(secret);
  const kept = await api.call('GET', '/api/v1/bot/interactive_config', { token: other.token });
  expect(kept.body).toMatchObject({ enabled: true });
});
