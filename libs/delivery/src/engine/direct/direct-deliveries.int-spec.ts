import { jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { DueChecks, openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import { PostgresRateLimiter } from '@tieline/rate-limit';
import { createTestDatabase, eventually, readRows, startReceiver, statementsDuring } from '@tieline/testing';
import type { Receiver, TestDatabase } from '@tieline/testing';
import type { Queue } from '@tieline/queue';
import { BREAKER, DeliveryEngine } from '../delivery-engine.js';
import { DeliveryKinds } from '../delivery-kinds.js';
import type { DeliveryTarget } from '../delivery-kinds.js';
import { rotatePartitions } from '../delivery-partitions.js';
import type { NewDelivery } from '../delivery.types.js';
import { DeliveryClaims } from '../claims/delivery-claims.js';
import { DeliverySweeper } from '../claims/delivery-sweeper.js';
import { LeaseOwner, releaseDeadLeases } from '../claims/lease-owner.js';
import { DeliveryLanes, LANE_LIMITS } from '../lanes/delivery-lanes.js';
import { planDeliveries } from '../plan-deliveries.js';
import { planDirectly } from './current-batch.js';
import type { DirectBatch } from './direct-batch.js';

const SPACE = uuidv7();
const { perTarget } = LANE_LIMITS.first;
const policy = { initialMs: 60_000, maxMs: 60_000, timeoutMs: 60_000, maxAttempts: 8 };
let resolve: () => Promise<string[]>;
const egress = new EgressClient(
  new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'], resolve: () => resolve() }),
  { version: '0', connectTimeoutMs: 60_000 },
);

let database: TestDatabase;
let db: Db;
let limiter: PostgresRateLimiter;
let receiver: Receiver;
let owner: LeaseOwner;
let claims: number;
let lanes: DeliveryLanes;
const targets = new Map<string, DeliveryTarget>();
const kinds = new DeliveryKinds();
kinds.register({
  name: 'outgoing',
  reach: 'configured',
  deadLetters: null,
  loadTargets: async (_db, ids) =>
    new Map(ids.flatMap((id) => (targets.has(id) ? [[id, targets.get(id) as DeliveryTarget]] : []))),
  attemptHeaders: ({ id }) => ({ 'x-id': id }),
  classify: (status) => (status < 300 ? 'success' : 'retry'),
  settled: async () => undefined,
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  limiter = new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs: 60_000 });
  await rotatePartitions(db);
});
afterAll(async () => {
  await limiter?.close();
  await egress.close();
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  owner = new LeaseOwner(database.url);
  await owner.current();
  const engine = new DeliveryEngine(
    db,
    egress,
    limiter,
    kinds,
    { attempts: policy, breaker: BREAKER },
    { finished: () => undefined, failed: () => undefined },
  );
  claims = 0;
  class CountedClaims extends DeliveryClaims {
    override claim(...request: Parameters<DeliveryClaims['claim']>): ReturnType<DeliveryClaims['claim']> {
      claims += 1;
      return super.claim(...request);
    }
  }
  lanes = new DeliveryLanes(new CountedClaims(db, owner, 3_600_000), engine, {
    failed: () => undefined,
    due: () => undefined,
  });
});
afterEach(async () => {
  await lanes.stop();
  await owner.close();
  await receiver.close();
  await db.query('TRUNCATE delivery_queue, delivery_targets');
});

function target(more: Partial<DeliveryTarget> = {}): string {
  const id = uuidv7();
  targets.set(id, { url: `${receiver.url}/hook`, active: true, ...more });
  return id;
}

async function planIn(
  tx: Tx,
  targetId: string,
  count: number,
  { batch, ...more }: Partial<NewDelivery> & { batch?: DirectBatch | undefined } = {},
): Promise<void> {
  if (batch) planDirectly(tx, batch);
  const payload = { id: uuidv7(), spaceId: SPACE, body: Buffer.from('{"exact": 1.0}') };
  const one = (): NewDelivery => ({
    ...{ id: uuidv7(), spaceId: SPACE, kind: 'outgoing', targetId, eventId: uuidv7(), eventType: 'X' },
    ...{ payloadId: payload.id, headers: { 'x-planned': '1' }, ...more },
  });
  await planDeliveries(tx, [payload], Array.from({ length: count }, one));
}

/** Plans like the relay, and sends after the commit. @returns how many deliveries were leased */
async function plan(targetId: string, count = 1, more: Partial<NewDelivery> = {}): Promise<number> {
  const batch = lanes.beginDirect();
  const before = lanes.busy;
  await runInWorkerTx(db, (tx) => planIn(tx, targetId, count, { ...more, batch }));
  const leased = lanes.busy - before;
  batch?.send(true);
  return leased;
}

async function leases(targetId: string): Promise<number> {
  const rows = await readRows<{ n: number }>(
    db,
    'SELECT count(lease)::int AS n FROM delivery_queue WHERE target_id = $1',
    [targetId],
  );
  return rows[0]?.n ?? 0;
}

const left = async (): Promise<number> => (await db.query('SELECT 1 FROM delivery_queue')).length;

test('a planned delivery is leased, sent with its exact bytes and settled without a claim', async () => {
  expect(await plan(target())).toBe(1);
  const [request] = await receiver.waitFor(1);
  expect(request?.body.toString()).toBe('{"exact": 1.0}');
  expect(request?.headers).toMatchObject({ 'x-planned': '1', 'x-id': expect.any(String) });
  await eventually(async () => expect(await left()).toBe(0));
  const logged = await readRows(
    db,
    'SELECT status, attempts, error FROM deliveries ORDER BY id DESC LIMIT 1',
  );
  expect(logged).toEqual([{ status: 'success', attempts: 1, error: null }]);
  const attempts = await readRows(
    db,
    'SELECT attempt, status_code FROM delivery_attempts ORDER BY at DESC LIMIT 1',
  );
  expect(attempts).toEqual([{ attempt: 1, status_code: 200 }]);
  await eventually(() => expect(lanes.busy).toBe(0));
  expect(claims).toBe(0);
});

test('a target gets no more than its places, and the rest follow by claims', async () => {
  receiver.respond({ status: 200, delayMs: 1000 });
  const one = target();
  expect(await plan(one, perTarget + 4)).toBe(perTarget);
  expect(await plan(one, 1)).toBe(0);
  lanes.deliveries.start();
  await receiver.waitFor(perTarget + 5);
  await eventually(async () => expect(await left()).toBe(0));
});

test('deliveries wait behind others of their target, for its breaker, in lines and as test sends', async () => {
  const [busy, broken, ordered, tried] = [target(), target(), target(), target()];
  await runInWorkerTx(db, (tx) => planIn(tx, busy, 1));
  await db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until) VALUES ($1, $2, 'outgoing', 10, now() + interval '1 hour')`,
    [broken, SPACE],
  );
  expect(await plan(busy)).toBe(0);
  expect(await plan(broken)).toBe(0);
  expect(await plan(ordered, 1, { order: { key: uuidv7(), position: 1 } })).toBe(0);
  expect(await plan(tried, 1, { counts: false })).toBe(0);
  expect(lanes.busy).toBe(0);
});

test('deliveries of a line follow each other by claims of their target, without a walk over all', async () => {
  const id = target();
  const line = uuidv7();
  for (let position = 1; position <= 5; position += 1) await plan(id, 1, { order: { key: line, position } });
  const statements = await statementsDuring(db, async () => {
    lanes.deliveries.start();
    await receiver.waitFor(5);
    await eventually(async () => expect(await left()).toBe(0));
  });
  const sent = (name: string): number => statements.filter((one) => one === name).length;
  // One walk of each lane, at the start.
  expect([sent('deliveries.claim'), sent('deliveries.claim_of_targets')]).toEqual([2, 4]);
});

test('the rate of a target applies, and what exceeds it keeps its place in the queue', async () => {
  const one = target({ ratePerSecond: 5 });
  await plan(one, 8);
  await receiver.waitFor(5);
  await eventually(async () => expect(await left()).toBe(3));
  // Nothing is leased beside those that wait.
  expect(await plan(one)).toBe(0);
  expect(receiver.requests).toHaveLength(5);
});

test('a rolled back plan sends nothing and frees its places', async () => {
  const batch = lanes.beginDirect();
  const work = runInWorkerTx(db, async (tx) => {
    await planIn(tx, target(), 3, { batch });
    expect(lanes.busy).toBe(3);
    throw new Error('rolled back');
  });
  await expect(work).rejects.toThrow('rolled back');
  batch?.release();
  expect([lanes.busy, await left(), receiver.requests]).toEqual([0, 0, []]);
});

test('after a commit with an unknown outcome, only committed deliveries are sent', async () => {
  const [committed, lost] = [lanes.beginDirect(), lanes.beginDirect()];
  await runInWorkerTx(db, (tx) => planIn(tx, target(), 1, { batch: committed }));
  await runInWorkerTx(db, async (tx) => {
    await planIn(tx, target(), 1, { batch: lost });
    throw new Error('rolled back');
  }).catch(() => undefined);
  committed?.send(false);
  lost?.send(false);
  await receiver.waitFor(1);
  await eventually(() => expect(lanes.busy).toBe(0));
  expect(receiver.requests).toHaveLength(1);
});

test('what a worker leased and did not send is released when it dies', async () => {
  const one = target();
  const batch = lanes.beginDirect();
  await runInWorkerTx(db, (tx) => planIn(tx, one, 2, { batch }));
  expect(await leases(one)).toBe(2);
  await owner.close();
  await db.query(`UPDATE delivery_workers SET started_at = now() - interval '1 minute'`);
  await eventually(async () => expect(await releaseDeadLeases(db)).toBe(2));
  expect(await leases(one)).toBe(0);
  batch?.release();
});

test('a worker that is stopping leases nothing and waits for the plan under way', async () => {
  const batch = lanes.beginDirect();
  await runInWorkerTx(db, (tx) => planIn(tx, target(), 1, { batch }));
  const stopped = lanes.stop();
  expect(lanes.beginDirect()).toBeUndefined();
  batch?.send(true);
  await stopped;
  expect([receiver.requests.length, await left()]).toEqual([1, 0]);
});

test('a worker that stood still while connecting does not send what another worker took over', async () => {
  const now = performance.now.bind(performance);
  let stoodMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + stoodMs);
  resolve = async () => {
    stoodMs = 6_000;
    await db.query("UPDATE delivery_queue SET lease = nextval('delivery_lease'), lease_owner = 0");
    return ['127.0.0.1'];
  };
  const url = `${receiver.url.replace('127.0.0.1', 'frozen.example')}/hook`;
  expect(await plan(target({ url }))).toBe(1);
  await eventually(() => expect(lanes.busy).toBe(0));
  clock.mockRestore();
  expect([stoodMs, receiver.requests]).toEqual([6_000, []]);
});

test('a delivery that is planned while the one before it in its line ends is sent after its commit', async () => {
  const checks = new DueChecks(db);
  const queue = { wake: () => Promise.resolve(true) } as unknown as Queue;
  const sweeper = new DeliverySweeper(db, checks, lanes, queue, kinds, owner, () => undefined);
  sweeper.start();
  // Without checks, no sweep releases the second delivery.
  await checks.beforeApplicationShutdown();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolved) => (answer = resolved));
  receiver.respond(() => answered.then(() => 200));
  const id = target();
  const line = uuidv7();
  try {
    await plan(id, 1, { order: { key: line, position: 1 } });
    lanes.deliveries.start();
    await receiver.waitFor(1);
    await runInWorkerTx(db, async (tx) => {
      await planIn(tx, id, 1, { order: { key: line, position: 2 } });
      answer();
      await eventually(async () => expect([await left(), lanes.busy]).toEqual([0, 0]));
    });
    await receiver.waitFor(2);
    await eventually(async () => expect(await left()).toBe(0));
  } finally {
    await sweeper.stop();
  }
});
