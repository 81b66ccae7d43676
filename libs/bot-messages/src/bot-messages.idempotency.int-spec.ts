import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { BotMessagesModule } from './bot-messages.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_MESSAGES_PER_SECOND: '10000', RATE_BOT_WRITES_PER_SECOND: '10000' }, [
    BotMessagesModule,
  ]);
  fixture = await BotsFixture.of(api);
});
beforeEach(async () => {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
});
afterAll(() => api?.close());

function send(key: string, body: object = {}, token = bot.token): Promise<TestAnswer> {
  return api.call('POST', '/api/v1/bot/messages', {
    token,
    body: { conversation_id: channel, content: 'hello', ...body },
    headers: { 'idempotency-key': key },
  });
}

const texts = async (): Promise<string[]> => {
  const rows = await readRows<{ text: string }>(
    api.db,
    'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY msg_index',
    [channel],
  );
  return rows.map(({ text }) => text);
};

test('a repeat returns the first message without posting a second one', async () => {
  const first = await send('key-1');
  expect(first.status).toBe(200);
  const repeat = await send('key-1', { conversation_id: channel.toUpperCase() });
  expect([repeat.status, repeat.body]).toEqual([200, first.body]);
  expect(await texts()).toEqual(['hello']);
});

test('every repeat is warned of its own unknown fields only', async () => {
  const first = await send('key-1', { text: 'hello' });
  expect(first.body).toEqual({
    ok: true,
    message_id: expect.any(String),
    warnings: ['unknown field: text'],
  });
  const { warnings: _, ...kept } = first.body;
  expect((await send('key-1')).body).toEqual(kept);
  expect((await send('key-1', { attachments: [], color: 1 })).body).toEqual({
    ...kept,
    warnings: ['unknown field: color'],
  });
});

test('concurrent repeats return the same message', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => send('key-2')));
  expect(new Set(responses.map(({ status, body }) => `${status} ${body.message_id}`)).size).toBe(1);
  expect(await texts()).toEqual(['hello']);
});

test('another body with the same key gets 409', async () => {
  const first = await send('key-3');
  for (const change of [
    { content: 'other' },
    { display_name: 'other' },
    { metadata_json: '{}' },
    { parent_message_id: first.body.message_id },
  ]) {
    expect(await send('key-3', change)).toMatchObject({ status: 409, body: { ok: false } });
  }
  expect(await texts()).toEqual(['hello']);
});

test('a refused request leaves its key free', async () => {
  await api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect((await send('key-4')).status).toBe(403);
  await api.db.query('UPDATE conversations SET archived_at = NULL WHERE id = $1', [channel]);
  expect((await send('key-4', { content: 'again' })).status).toBe(200);
});

test('keys belong to one bot and survive a new token', async () => {
  const other = await fixture.bot();
  const shared = await fixture.channelOf(bot, other);
  const first = await send('key-5', { conversation_id: shared });
  expect((await send('key-5', { conversation_id: shared }, other.token)).body.message_id).not.toBe(
    first.body.message_id,
  );
  const { token } = (await fixture.admin('POST', `/bots/${bot.id}/regenerate_token`)).body;
  expect((await send('key-5', { conversation_id: shared }, token)).body).toEqual(first.body);
});

test('an empty key counts as absent', async () => {
  const [one, other] = [await send(''), await send('')];
  expect([one.status, other.status, one.body.message_id === other.body.message_id]).toEqual([
    200,
    200,
    false,
  ]);
});

test.each(['with space', 'é', 'x'.repeat(129), 'a/b'])('the key "%s" gets 400', async (key) => {
  const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
  expect(
    await api.call('POST', '/api/v1/bot/messages', {
      token: bot.token,
      body: { conversation_id: channel, content: 'x' },
      headers,
    }),
  ).toMatchObject({ status: 400, body: { ok: false } });
});

test('every allowed character, 128 of them', async () => {
  expect((await send(`AZaz09._:-${'x'.repeat(118)}`)).status).toBe(200);
});
