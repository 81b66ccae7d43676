import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import { PostgresRateLimiter } from '@tieline/rate-limit';
import { createTestDatabase, eventually, startReceiver } from '@tieline/testing';
import type { Receiver, TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { BREAKER, DeliveryEngine } from '../delivery-engine.js';
import { DeliveryKinds } from '../delivery-kinds.js';
import { rotatePartitions } from '../delivery-partitions.js';
import type { NewDelivery } from '../delivery.types.js';
import { planDeliveries } from '../plan-deliveries.js';
import { DeliveryClaims } from '../claims/delivery-claims.js';
import { DeliveryLanes, LANE_LIMITS } from './delivery-lanes.js';
import { LeaseOwner } from '../claims/lease-owner.js';

const SLOW = 32;
/** Enough for any machine to detect that a target is slow. */
const PER_SLOW = 300;
const { capacity, perTarget } = LANE_LIMITS.first;

let database: TestDatabase;
let db: Db;
let slow: Receiver;
let quick: Receiver;
let lanes: DeliveryLanes;
let owner: LeaseOwner;
let limiter: PostgresRateLimiter;
const urls = new Map<string, string>();
const egress = new EgressClient(new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'] }), {
  version: '0',
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await rotatePartitions(db);
  [slow, quick] = [await startReceiver({ delayMs: 1200 }), await startReceiver()];
  owner = new LeaseOwner(database.url);
  limiter = new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs: 60_000 });
  const policy = { initialMs: 60_000, maxMs: 60_000, timeoutMs: 60_000, maxAttempts: 8 };
  const engine = new DeliveryEngine(
    db,
    egress,
    limiter,
    kinds(),
    { attempts: policy, breaker: BREAKER },
    { finished: () => undefined, failed: () => undefined },
  );
  lanes = new DeliveryLanes(new DeliveryClaims(db, owner, 3_600_000), engine, {
    failed: () => undefined,
    due: () => undefined,
  });
});
afterAll(async () => {
  await Promise.all([slow?.close(), quick?.close()]);
  await lanes?.stop();
  await owner?.close();
  await limiter?.close();
  await egress.close();
  await db?.close();
  await database?.drop();
});

function kinds(): DeliveryKinds {
  const all = new DeliveryKinds();
  all.register({
    name: 'outgoing',
    reach: 'configured',
    loadTargets: async (_db, ids) =>
      new Map(ids.map((id) => [id, { url: urls.get(id) as string, active: true }])),
    attemptHeaders: () => ({}),
    classify: (status) => (status < 300 ? 'success' : 'retry'),
    settled: async () => undefined,
  });
  return all;
}

/** Plans deliveries to a new target of a new space. */
async function plan(url: string, count: number): Promise<void> {
  const [spaceId, targetId, payloadId] = [uuidv7(), uuidv7(), uuidv7()];
  urls.set(targetId, url);
  const deliveries = Array.from({ length: count }, (): NewDelivery => ({
    id: uuidv7(),
    spaceId,
    kind: 'outgoing',
    targetId,
    eventId: uuidv7(),
    eventType: 'MESSAGE_CREATED',
    payloadId,
    headers: {},
  }));
  await runInWorkerTx(db, (tx) =>
    planDeliveries(tx, [{ id: payloadId, spaceId, body: Buffer.from('{}') }], deliveries),
  );
}

test('32 slow but healthy receivers, each of another space, leave half of a lane to others', async () => {
  for (let n = 0; n < SLOW; n += 1) await plan(slow.url, PER_SLOW);
  lanes.deliveries.start();
  // At first it is unknown that they are slow.
  await eventually(() => expect(lanes.busy).toBeGreaterThan(capacity * 0.9));
  // How many responses it takes to detect them depends on the machine, because attempts that start
  // together are settled one by one.
  await eventually(async () => expect(await mostBusy(300)).toBeLessThan(capacity * 0.7), {
    timeoutMs: 120_000,
  });
  await plan(quick.url, perTarget);
  lanes.wake();
  await quick.waitFor(perTarget);
  expect(slow.requests.length).toBeLessThan(SLOW * PER_SLOW);
});

/**
 * Returns the maximum number of deliveries under way while slow receivers get this many more
 * requests.
 */
async function mostBusy(requests: number): Promise<number> {
  const end = slow.requests.length + requests;
  let most = 0;
  await eventually(
    () => {
      most = Math.max(most, lanes.busy);
      return slow.requests.length >= end;
    },
    { timeoutMs: 120_000, everyMs: 5 },
  );
  return most;
}
