import { uuidv7 } from 'uuidv7';
import { eventually } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';

let api: TestApi;
let fixture: BotsFixture;

beforeAll(async () => {
  api = await startBotsApi({ RATE_BOT_WRITES_PER_SECOND: '5', RATE_DM_PER_SECOND: '1' });
  fixture = await BotsFixture.of(api);
});
afterAll(() => api?.close());

function as({ token }: SeededBot, method: string, path: string, body?: unknown): Promise<TestAnswer> {
  return api.call(method, `/api/v1/bot${path}`, { token, body });
}

const statuses = (responses: TestAnswer[]): number[] => responses.map(({ status }) => status).sort();

test('a bot opens one direct conversation a second; refused requests carry Retry-After', async () => {
  const person = await fixture.space.person('member');
  let bot = await fixture.bot();
  const responses = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    return Promise.all(Array.from({ length: 4 }, () => as(bot, 'POST', '/dm', { user_id: person.id })));
  });
  expect(statuses(responses)).toEqual([200, 429, 429, 429]);
  for (const { headers, body } of responses.filter(({ status }) => status === 429)) {
    expect(headers.get('retry-after')).toBe('1');
    expect(body).toEqual({ ok: false, error: 'rate limit exceeded', code: 'rate_limited' });
  }
  await eventually(async () =>
    expect((await as(bot, 'POST', '/dm', { user_id: person.id })).status).toBe(200),
  );
});

test('6 concurrent invalid DM requests are refused, and a valid one after them succeeds', async () => {
  const person = await fixture.space.person('member');
  const bot = await fixture.bot();
  const refused = await Promise.all(
    Array.from({ length: 6 }, () => as(bot, 'POST', '/dm', { user_id: uuidv7() })),
  );
  expect(statuses(refused)).toEqual([400, 400, 400, 400, 400, 400]);
  expect((await as(bot, 'POST', '/dm', { user_id: person.id })).status).toBe(200);
});

test('refused DM requests are not charged', async () => {
  const [bot, person] = [await fixture.bot(), await fixture.space.person('member')];
  for (const user_id of [bot.id, uuidv7(), 'x'])
    expect((await as(bot, 'POST', '/dm', { user_id })).status).toBe(400);
  expect((await as(bot, 'POST', '/dm', { user_id: person.id })).status).toBe(200);
});

test('all writes of a bot share one limit per bot, and reads are not charged', async () => {
  const other = await fixture.bot();
  const channel = await fixture.channelOf();
  const writes: [string, string, object?][] = [
    ['PATCH', '/me', { event_delivery_mode: 'poll' }],
    ['POST', `/conversations/${channel}/join`],
    ['POST', '/webhook/rotate_secret'],
  ];
  let bot = other;
  const responses = await withinOneWindow(api, async () => {
    bot = await fixture.bot();
    return Promise.all(
      Array.from({ length: 9 }, (_, n) => as(bot, ...(writes[n % 3] as [string, string, object?]))),
    );
  });
  expect(statuses(responses)).toEqual([200, 200, 200, 200, 200, 429, 429, 429, 429]);
  expect((await as(bot, 'GET', '/me')).status).toBe(200);
  expect((await as(other, 'POST', `/conversations/${channel}/join`)).status).toBe(200);
});

test('refused writes are not charged', async () => {
  const bot = await fixture.bot();
  for (let n = 0; n < 6; n += 1)
    expect((await as(bot, 'POST', `/conversations/${uuidv7()}/join`)).status).toBe(400);
  const responses = await Promise.all(
    Array.from({ length: 5 }, () => as(bot, 'PATCH', '/me', { event_delivery_mode: 'poll' })),
  );
  expect(statuses(responses)).toEqual([200, 200, 200, 200, 200]);
});
