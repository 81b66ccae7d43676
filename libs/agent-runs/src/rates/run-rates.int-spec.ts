import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { TestApi } from '@tieline/spaces/testing';
import { RunsFixture, startRunsApi } from '../testing/index.js';

const LIMIT = 3;

let api: TestApi;

beforeAll(async () => {
  api = await startRunsApi({
    RATE_AGENT_RUN_CREATE_PER_SECOND: String(LIMIT),
    RATE_AGENT_RUN_UPDATE_PER_SECOND: String(LIMIT),
    RATE_BOT_WRITES_PER_SECOND: '8',
    RATE_BOT_MESSAGES_PER_SECOND: '1',
  });
});
afterAll(() => api?.close());

/** Runs `work` with a new bot in one rate window, with another bot again until it fits into one. */
const inOneWindow = <T>(work: (fx: RunsFixture) => Promise<T>): Promise<T> =>
  withinOneWindow(api, async () => work(await RunsFixture.of(api)));

test('creations are limited per bot and conversation, separately from messages; repeats and refused requests do not count', async () => {
  const told = await inOneWindow(async (fx) => {
    const first = await fx.create({ idempotency_key: 'k' });
    const refused = [
      await fx.create({ content: 5 }),
      await fx.create({ trigger_message_id: fx.tasks.channel }),
      await fx.create({ idempotency_key: 'k', trigger_message_id: fx.tasks.channel }),
    ];
    const more = [await fx.create(), await fx.create(), await fx.create()];
    const repeat = await fx.create({ idempotency_key: 'k' });
    const elsewhere = await fx.tasks.conversation();
    const other = await fx.create({
      conversation_id: elsewhere,
      trigger_message_id: await fx.tasks.say('hi', elsewhere),
    });
    return {
      statuses: [first, ...refused, ...more, repeat, other].map(({ status }) => status),
      retryAfter: more[2]?.headers.get('retry-after'),
    };
  });
  expect(told).toEqual({ statuses: [200, 400, 400, 409, 200, 200, 429, 200, 200], retryAfter: '1' });
});

test('20 concurrent creations with one key count once', async () => {
  const statuses = await inOneWindow(async (fx) => {
    const same = await Promise.all(Array.from({ length: 20 }, () => fx.create({ idempotency_key: 'k' })));
    const others = [await fx.create(), await fx.create(), await fx.create()];
    return [...new Set(same.map(({ status }) => status)), ...others.map(({ status }) => status)];
  });
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('changes and cancels share a limit per run; refused requests do not count', async () => {
  const statuses = await inOneWindow(async (fx) => {
    const [one, two] = [await fx.run(), await fx.run()];
    const responses = [
      await fx.patch(one.id, { status: 'queued', sequence: 2 }),
      await fx.patch(one.id, { status: 'queued', sequence: 1 }),
      await fx.patch(one.id, { status: 'x', sequence: 3 }),
      await fx.patch(one.id, { status: 'queued', sequence: 3 }),
      await fx.cancel(one.id),
      await fx.cancel(one.id),
      await fx.patch(one.id, { status: 'queued', sequence: 4 }),
      await fx.get(one.id),
      await fx.patch(two.id, { status: 'queued', sequence: 2 }),
    ];
    return responses.map(({ status }) => status);
  });
  expect(statuses).toEqual([200, 409, 400, 200, 200, 429, 429, 200, 200]);
});

test("all of them count against the bot's write limit", async () => {
  const statuses = await inOneWindow(async (fx) => {
    const runs = [await fx.run(), await fx.run(), await fx.run()];
    const changes = [];
    for (const run of runs)
      for (const sequence of [2, 3]) changes.push(await fx.patch(run.id, { status: 'queued', sequence }));
    return changes.map(({ status }) => status);
  });
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});

test('20 concurrent stale changes get 409 and do not count', async () => {
  const statuses = await inOneWindow(async (fx) => {
    const run = await fx.run();
    const stale = () => fx.patch(run.id, { status: 'queued', sequence: 1 });
    const refused = await Promise.all(Array.from({ length: 20 }, stale));
    const good = [await fx.patch(run.id, { status: 'queued', sequence: 2 })];
    return [...new Set(refused.map(({ status }) => status)), ...good.map(({ status }) => status)];
  });
  expect(statuses).toEqual([409, 200]);
});
