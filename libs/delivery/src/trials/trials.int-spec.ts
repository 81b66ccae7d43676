import { uuidv7 } from 'uuidv7';
import type { EgressSettings } from '@tieline/egress';
import { LiveBus, PostgresTransport } from '@tieline/live';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { planDeliveries } from '../engine/plan-deliveries.js';
import { TRIALS } from './trials-channel.js';
import { Trials, WAITING_PER_SPACE } from './trials.js';

const SPACE = uuidv7();
const TIMEOUT_MS = 1_000;

let database: TestDatabase;
let db: Db;
let bus: LiveBus;
const apis: { trials: Trials; bus: LiveBus }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  // A single connection: waiting calls must not hold it.
  db = await openDb({ databaseUrl: database.url, poolMax: 1 });
  bus = new LiveBus(new PostgresTransport(database.url));
  await bus.start();
});
afterEach(async () => {
  for (const api of apis.splice(0)) {
    await api.trials.onModuleDestroy();
    await api.bus.close();
  }
});
afterAll(async () => {
  await bus?.close();
  await db?.close();
  await database?.drop();
});

/** Starts one of several apis. */
async function startApi(deliveryTimeoutMs = TIMEOUT_MS): Promise<Trials> {
  const own = new LiveBus(new PostgresTransport(database.url));
  await own.start();
  const trials = new Trials(db, { deliveryTimeoutMs } as EgressSettings, own);
  apis.push({ trials, bus: own });
  return trials;
}

/** Plans a test send that no worker has seen yet. */
async function plan(): Promise<string> {
  const payload = { id: uuidv7(), spaceId: SPACE, body: Buffer.from('{}') };
  const id = uuidv7();
  const more = { kind: 'outgoing', targetId: uuidv7(), eventId: uuidv7(), eventType: 'WEBHOOK_TEST' };
  const delivery = { ...more, id, spaceId: SPACE, payloadId: payload.id, headers: {}, counts: false };
  await runInWorkerTx(db, (tx) => planDeliveries(tx, [payload], [delivery]));
  return id;
}

/** Writes what a worker writes after an attempt. */
async function end(id: string, statusCode: number | null, error: string | null): Promise<void> {
  await db.query(
    `INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, status_code, duration_ms, error, response) VALUES ($1, $2, 1, now(), $3, 12, $4, '')`,
    [id, SPACE, statusCode, error],
  );
  await db.query(`UPDATE deliveries SET status = 'dead', error = 'failed' WHERE id = $1`, [id]);
}

test('the api that was called gets the result from another process immediately', async () => {
  const [asked, other] = [await startApi(60_000), await startApi(60_000)];
  const [ids, elsewhere] = [[await plan(), await plan()], await plan()];
  const results = Promise.all(ids.map((id) => asked.result(SPACE, id, performance.now())));
  const unrelated = other.result(SPACE, elsewhere, performance.now());
  await end(ids[0]!, 503, null);
  await end(ids[1]!, null, 'connection refused');
  for (const id of ids) bus.publish(TRIALS, id);
  expect(await results).toEqual([
    { status_code: 503, error: null, duration_ms: 12 },
    { status_code: null, error: 'connection refused', duration_ms: 12 },
  ]);
  await end(elsewhere, 200, null);
  // No message announces this one.
  expect(await unrelated).toMatchObject({ status_code: 200 });
});

test('a test send that ended before the call is found', async () => {
  const trials = await startApi(60_000);
  const id = await plan();
  await end(id, 200, null);
  expect(await trials.result(SPACE, id, performance.now())).toMatchObject({ status_code: 200 });
});

test('at the deadline the result is a timeout if a worker has the test send, and otherwise says that no worker does', async () => {
  const trials = await startApi();
  const [untouched, leased] = [await plan(), await plan()];
  await db.query(`UPDATE delivery_queue SET lease_until = now() + interval '1 hour' WHERE id = $1`, [leased]);
  const begun = performance.now();
  const results = await Promise.all([untouched, leased].map((id) => trials.result(SPACE, id, begun)));
  expect(results).toEqual([
    { status_code: null, error: 'no worker has sent it yet', duration_ms: expect.any(Number) },
    { status_code: null, error: 'timeout', duration_ms: expect.any(Number) },
  ]);
  for (const { duration_ms } of results) expect(duration_ms).toBeGreaterThanOrEqual(TIMEOUT_MS - 1);
});

test('a test send that failed without an attempt has a reason', async () => {
  const trials = await startApi(60_000);
  const id = await plan();
  await db.query(`UPDATE deliveries SET status = 'dead', error = 'subscription inactive' WHERE id = $1`, [
    id,
  ]);
  const none = { status_code: null, error: 'subscription inactive', duration_ms: 0 };
  expect(await trials.result(SPACE, id, performance.now())).toEqual(none);
});

test('the number of waiting calls per space is limited, they hold no connection, and other spaces are unaffected', async () => {
  const trials = await startApi(60_000);
  const ids = await Promise.all(Array.from({ length: WAITING_PER_SPACE }, () => plan()));
  const results = Promise.all(ids.map((id) => trials.result(SPACE, id, performance.now())));
  const { error } = await trials.result(SPACE, await plan(), performance.now());
  expect(error).toMatch('too many test sends are waiting');
  const other = trials.result(uuidv7(), await plan(), performance.now());
  await eventually(async () => expect(await db.query('SELECT 1')).toHaveLength(1));
  await apis[0]!.trials.onModuleDestroy();
  for (const result of [...(await results), await other])
    expect(result).toEqual({
      status_code: null,
      error: expect.stringMatching('not known yet'),
      duration_ms: 0,
    });
});
