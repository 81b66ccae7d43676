import { BotsFixture, startBotsApi } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { eventually } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotMessagesModule } from './bot-messages.module.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
let channel: string;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_MESSAGES_PER_SECOND: '4', RATE_BOT_WRITES_PER_SECOND: '10' }, [
    BotMessagesModule,
  ]);
  fixture = await BotsFixture.of(api);
});
beforeEach(() => startAfresh());
afterAll(() => api?.close());

async function startAfresh(): Promise<void> {
  bot = await fixture.bot();
  channel = await fixture.channelOf(bot);
}

function send(body: object = {}, { token = bot.token }: { token?: string } = {}): Promise<TestAnswer> {
  return api.call('POST', '/api/v1/bot/messages', {
    token,
    body: { conversation_id: channel, content: 'hello', ...body },
  });
}

const edit = (id: string): Promise<TestAnswer> =>
  api.call('PATCH', `/api/v1/bot/messages/${id}`, { token: bot.token, body: { content: 'edited' } });
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);
const count = (responses: TestAnswer[], status: number): number =>
  responses.filter((response) => response.status === status).length;

test('the message rate applies per conversation; refused messages carry Retry-After and are not posted', async () => {
  const responses = await withinOneWindow(api, async () => {
    await startAfresh();
    return Promise.all(times(9, send));
  });
  expect([count(responses, 200), count(responses, 429)]).toEqual([4, 5]);
  for (const { headers, body } of responses.filter(({ status }) => status === 429)) {
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toEqual({ ok: false, error: 'rate limit exceeded', code: 'rate_limited' });
  }
  expect(await api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [channel])).toHaveLength(4);
  // The window may have been stretched.
  await eventually(async () => expect((await send()).status).toBe(200), { timeoutMs: 70_000 });
});

test('sends and edits share the counter of the conversation', async () => {
  const responses = await withinOneWindow(api, async () => {
    await startAfresh();
    const sends = await Promise.all(times(3, send));
    return [...sends, ...(await Promise.all(times(3, () => edit(sends[0]!.body.message_id))))];
  });
  expect([count(responses, 200), count(responses, 429)]).toEqual([4, 2]);
});

test('conversations and bots have separate counters', async () => {
  const other = await fixture.bot();
  const [second, shared] = [await fixture.channelOf(bot), await fixture.channelOf(bot, other)];
  const responses = await Promise.all([
    ...times(4, send),
    ...times(4, () => send({ conversation_id: second })),
    ...times(2, () => send({ conversation_id: shared })),
    ...times(4, () => send({ conversation_id: shared }, { token: other.token })),
  ]);
  expect(count(responses, 200)).toBe(14);
});

test('all writes of a bot share one limit over all conversations', async () => {
  const responses = await withinOneWindow(api, async () => {
    await startAfresh();
    const places = await Promise.all(times(4, () => fixture.channelOf(bot)));
    const sends = await Promise.all(
      places.flatMap((conversation_id) => times(4, () => send({ conversation_id }))),
    );
    return [
      ...sends,
      await api.call('PATCH', '/api/v1/bot/me', { token: bot.token, body: { display_name: 'x' } }),
    ];
  });
  expect([count(responses, 200), count(responses, 429)]).toEqual([10, 7]);
  expect(responses.at(-1)?.status).toBe(429);
  expect((await api.call('GET', '/api/v1/bot/me', { token: bot.token })).status).toBe(200);
});

test('refused requests are not charged', async () => {
  const elsewhere = await fixture.channelOf();
  const refused = await Promise.all([
    ...times(4, () => send({ content: '' })),
    ...times(4, () => send({ conversation_id: elsewhere })),
    ...times(2, () => edit(elsewhere)),
    ...times(2, () => send({ parent_message_id: elsewhere })),
  ]);
  expect(refused.filter(({ status }) => ![400, 403, 404].includes(status))).toEqual([]);
  const other = await fixture.channelOf(bot);
  const responses = await Promise.all([
    ...times(4, send),
    ...times(4, () => send({ conversation_id: other })),
  ]);
  expect(count(responses, 200)).toBe(8);
});

test('concurrently refused requests are not charged even while they run', async () => {
  const responses = await withinOneWindow(api, async () => {
    await startAfresh();
    const unknown = bot.id;
    const refused = await Promise.all(times(20, () => send({ parent_message_id: unknown })));
    return [...refused, ...(await Promise.all(times(5, send)))];
  });
  expect(responses.slice(0, 20).map(({ status }) => status)).toEqual(times(20, () => 400));
  expect([count(responses, 200), count(responses, 429)]).toEqual([4, 1]);
});

test('refused requests get 429 beyond ten times the rate, and valid ones still succeed', async () => {
  const responses = await withinOneWindow(api, async () => {
    await startAfresh();
    const unknown = bot.id;
    const refused = await Promise.all(times(45, () => send({ parent_message_id: unknown })));
    return [...refused, ...(await Promise.all(times(4, send)))];
  });
  expect([count(responses, 400), count(responses, 429), count(responses, 200)]).toEqual([40, 5, 4]);
});

test('20 equal requests with one key return 20 responses and one message, and are charged once', async () => {
  const keyed = (content = 'once'): Promise<TestAnswer> =>
    api.call('POST', '/api/v1/bot/messages', {
      token: bot.token,
      body: { conversation_id: channel, content },
      headers: { 'idempotency-key': 'k' },
    });
  const [equal, more] = await withinOneWindow(api, async () => {
    await startAfresh();
    return [
      await Promise.all(times(20, () => keyed())),
      [...(await Promise.all(times(4, send))), await keyed(), await keyed('another')],
    ] as const;
  });
  expect(new Set(equal.map(({ status, body }) => `${status} ${body.message_id}`)).size).toBe(1);
  expect(equal[0]?.status).toBe(200);
  // Three of the four, then the repeat at the limit, and another request with the same key.
  expect(more.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 409, 429]);
});
