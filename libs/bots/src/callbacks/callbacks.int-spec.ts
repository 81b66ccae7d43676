import type { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import type { TestApi } from '@tieline/spaces/testing';
import { eventually, readRows } from '@tieline/testing';
import { BotsFixture, startBotsApi } from '../testing/index.js';
import type { SeededBot } from '../testing/index.js';
import { CallbackLog, TRIM_EVERY } from './callback-log.js';
import { rotateCallbackPartitions } from './callback-partitions.js';
import { CallbackLogModule } from './callback-log.module.js';
import { KEPT_CALLBACKS } from './callbacks.statements.js';
import type { EndedCallback } from './ended-callback.js';

let api: TestApi;
let fixture: BotsFixture;
let bot: SeededBot;
beforeAll(async () => {
  api = await startBotsApi({}, [CallbackLogModule]);
  fixture = await BotsFixture.of(api);
});
afterAll(async () => {
  await api?.close();
});
beforeEach(async () => {
  bot = await fixture.bot({ display_name: 'Deploy bot' });
});

const log = (): CallbackLog => api.app.get(CallbackLog, { strict: false });
const anotherLog = (db: Db = api.db): CallbackLog =>
  new CallbackLog(db, api.app.get(Metrics, { strict: false }));

async function listed(query = ''): Promise<Record<string, unknown>[]> {
  await log().flush();
  return (await fixture.admin('GET', `/bots/${bot.id}/callbacks${query}`)).body.callbacks;
}

const ended = (failed: boolean): EndedCallback => ({
  ...{
    spaceId: fixture.space.spaceId,
    botId: bot.id,
    kind: 'command',
    url: 'https://bot.example/x',
    at: new Date(),
  },
  ...{ failed, statusCode: failed ? 500 : 200, error: null, durationMs: 3, response: '' },
});
const notices = async (): Promise<Record<string, unknown>[]> =>
  (await fixture.admin('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === bot.id,
  );
const count = async (): Promise<number> =>
  (
    await readRows<{ n: number }>(api.db, 'SELECT count(*)::int AS n FROM bot_callbacks WHERE bot_id = $1', [
      bot.id,
    ])
  )[0]!.n;

test('admins see callbacks newest first, page by page', async () => {
  for (const failed of [false, true, false]) log().add(ended(failed));
  const all = await listed();
  expect(all.map(({ status_code }) => status_code)).toEqual([200, 500, 200]);
  const first = (await fixture.admin('GET', `/bots/${bot.id}/callbacks?limit=2`)).body;
  expect([...first.callbacks, ...(await listed(`?limit=2&cursor=${first.next_cursor}`))]).toEqual(all);
});

test.each(['filter=success', 'limit=0', 'cursor=x'])('%s gets 400', async (query) => {
  expect((await fixture.admin('GET', `/bots/${bot.id}/callbacks?${query}`)).status).toBe(400);
});

test('the tenth consecutive failure raises a notice, once until the bot answers again', async () => {
  const own = anotherLog();
  const add = async (failed: boolean, times = 1): Promise<number> => {
    for (let n = 0; n < times; n += 1) own.add(ended(failed));
    await own.flush();
    return (await notices()).length;
  };
  expect([await add(true, 9), await add(true), await add(true, 15)]).toEqual([0, 1, 1]);
  expect([await add(false), await add(true, 9), await add(false), await add(true, 10)]).toEqual([1, 1, 1, 2]);
  // All in one batch.
  for (const failed of [false, ...Array<boolean>(10).fill(true), false]) own.add(ended(failed));
  await own.flush();
  expect((await notices()).map(({ kind }) => kind)).toEqual(Array(3).fill('bot.callbacks_failing'));
  expect((await notices())[0]!.text).toContain('"Deploy bot"');
});

test('concurrent failures at several apis are counted exactly', async () => {
  const apis = [anotherLog(), anotherLog(), anotherLog()];
  const fail = async (times: number[]): Promise<number> => {
    times.forEach((n, index) => {
      for (let left = n; left > 0; left -= 1) apis[index]!.add(ended(true));
    });
    await Promise.all(apis.map((one) => one.flush()));
    return (await notices()).length;
  };
  expect([await fail([4, 3, 2]), await fail([1, 0, 0]), await fail([7, 7, 7])]).toEqual([0, 1, 1]);
  expect(await count()).toBe(31);
});

test('queued callbacks are written before the process ends, which does not wait for an unavailable database', async () => {
  const [stopped, lost] = [anotherLog(), anotherLog()];
  stopped.add(ended(false));
  await stopped.onApplicationShutdown();
  expect(await count()).toBe(1);
  await api.db.query('ALTER TABLE bot_callbacks RENAME TO away');
  lost.add(ended(false));
  await lost.onApplicationShutdown().finally(() => api.db.query('ALTER TABLE away RENAME TO bot_callbacks'));
  expect(await count()).toBe(1);
});

test('a process that stops writes the remaining callbacks while its pool is open', async () => {
  const stopping = await startBotsApi({}, [CallbackLogModule]);
  const metrics = stopping.app.get(Metrics, { strict: false });
  stopping.app.get(CallbackLog, { strict: false }).add(ended(false));
  await stopping.close();
  expect(await metrics.text()).not.toContain('callback_log');
});

test('failed writes are retried, and rows are written once', async () => {
  const own = anotherLog();
  await api.db.query('ALTER TABLE bot_callback_failures RENAME TO away');
  for (let n = 0; n < 10; n += 1) own.add(ended(true));
  await eventually(async () =>
    expect(await api.app.get(Metrics, { strict: false }).text()).toMatch(/part="callback_log"\} [1-9]/),
  );
  expect(await count()).toBe(0);
  await api.db.query('ALTER TABLE away RENAME TO bot_callback_failures');
  await eventually(async () => expect(await count()).toBe(10));
  expect(await notices()).toHaveLength(1);
});

test('the disk space of one bot is limited: its latest callbacks are kept', async () => {
  await api.db.query(
    `INSERT INTO bot_callbacks (id, space_id, bot_id, kind, target, failed, duration_ms, response, created_at)
     SELECT ('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, $2, 'click', '', false, 1, '', now() FROM generate_series(1, $3::int) n`,
    [fixture.space.spaceId, bot.id, KEPT_CALLBACKS],
  );
  const own = anotherLog();
  for (let n = 0; n < TRIM_EVERY; n += 1) own.add(ended(false));
  await own.flush();
  expect(await count()).toBe(KEPT_CALLBACKS);
  expect(await listed('?limit=1')).toMatchObject([{ kind: 'command' }]);
});

test('callbacks are kept for 30 days, and counts of deleted bots are removed', async () => {
  log().add(ended(true));
  await log().flush();
  await rotateCallbackPartitions(api.db);
  expect(await count()).toBe(1);
  await rotateCallbackPartitions(api.db, new Date(Date.now() + 29 * 86_400_000));
  expect(await count()).toBe(1);
  await rotateCallbackPartitions(api.db, new Date(Date.now() + 32 * 86_400_000));
  expect(await count()).toBe(0);
  await fixture.admin('DELETE', `/bots/${bot.id}`);
  await rotateCallbackPartitions(api.db);
  expect(await api.db.query('SELECT 1 FROM bot_callback_failures WHERE bot_id = $1', [bot.id])).toEqual([]);
});
