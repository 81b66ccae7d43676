import { uuidv7 } from 'uuidv7';
import { uuidFloor } from '@tieline/partitions';
import { DueChecks, openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { EgressClient, EgressPolicy } from '@tieline/egress';
import type { Queue } from '@tieline/queue';
import { PostgresRateLimiter } from '@tieline/rate-limit';
import { createTestDatabase, eventually, startReceiver, readRows } from '@tieline/testing';
import type { ReceivedRequest, Receiver, TestDatabase } from '@tieline/testing';
import { BREAKER, DeliveryEngine } from './delivery-engine.js';
import type { EngineSettings } from './delivery-engine.js';
import { DeliveryKinds } from './delivery-kinds.js';
import type { DeliveryTarget } from './delivery-kinds.js';
import { rotatePartitions } from './delivery-partitions.js';
import { claimDeliveries, LANES, NIL } from './claims/claim-deliveries.js';
import { DeliveryClaims } from './claims/delivery-claims.js';
import { DeliveryLanes, LANE_LIMITS } from './lanes/delivery-lanes.js';
import type { LanesLimits } from './lanes/delivery-lanes.js';
import { DeliverySweeper, expirePostponed } from './claims/delivery-sweeper.js';
import type { NewDelivery, SettledDelivery } from './delivery.types.js';
import { findDelivery, listDeliveries } from '../log/delivery.queries.js';
import { killPending } from './results/kill-pending.js';
import { LeaseOwner } from './claims/lease-owner.js';
import { planDeliveries } from './plan-deliveries.js';

const SPACE = uuidv7();
/** A queue whose server is unavailable. */
const awayQueue = { wake: () => Promise.resolve(false) } as unknown as Queue;
// Retries follow quickly. No attempt times out because the machine is busy.
const FAST: EngineSettings & { lanes: LanesLimits } = {
  attempts: { initialMs: 20, maxMs: 100, timeoutMs: 60_000, maxAttempts: 4 },
  breaker: BREAKER,
  lanes: LANE_LIMITS,
};

let database: TestDatabase;
let db: Db;
let checks: DueChecks;
let receiver: Receiver;
let limiter: PostgresRateLimiter;
const egress = new EgressClient(new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'] }), {
  version: '0',
});
const targets = new Map<string, DeliveryTarget>();
const settled: SettledDelivery[] = [];
/** The deliveries whose attempts have started, in this order. */
const started: string[] = [];
const kinds = new DeliveryKinds();
kinds.register({
  name: 'outgoing',
  reach: 'configured',
  loadTargets: async (_db, ids) =>
    new Map(ids.flatMap((id) => (targets.has(id) ? [[id, targets.get(id) as DeliveryTarget]] : []))),
  attemptHeaders: ({ id }, _target, { attempt }) => {
    started.push(id);
    return { 'x-attempt': String(attempt), 'x-id': id };
  },
  classify: (status) =>
    status < 300 ? 'success' : status === 408 || status === 429 || status >= 500 ? 'retry' : 'dead',
  settled: async (_tx: Tx, results) => void settled.push(...results),
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  checks = new DueChecks(db);
  limiter = new PostgresRateLimiter({ databaseUrl: database.url, deadlineMs: 60_000 });
  await rotatePartitions(db);
});
afterAll(async () => {
  await Promise.all([limiter?.close(), egress.close(), checks?.beforeApplicationShutdown()]);
  await db?.close();
  await database?.drop();
});

/** A worker during a test. Its lanes run immediately and whenever a delivery is due. */
interface Running {
  lanes: DeliveryLanes;
  owner: LeaseOwner;
  failures: unknown[];
  stop(): Promise<void>;
}
const running: Running[] = [];

function startEngine(settings = FAST, startNow = true): Running {
  const owner = new LeaseOwner(database.url);
  const failures: unknown[] = [];
  const failed = (error: unknown): void => void failures.push(error);
  const engine = new DeliveryEngine(db, egress, limiter, kinds, settings, {
    finished: () => undefined,
    failed,
  });
  const begin = (): void => {
    lanes.deliveries.start();
    lanes.retries.start();
  };
  const due = (_lane: number, at: Date): void =>
    void setTimeout(begin, Math.max(0, at.getTime() - Date.now()) + 5).unref();
  const lanes: DeliveryLanes = new DeliveryLanes(
    new DeliveryClaims(db, owner, 3_600_000),
    engine,
    { failed, due },
    settings.lanes,
  );
  if (startNow) begin();
  const run = {
    lanes,
    owner,
    failures,
    stop: async () => {
      await lanes.stop();
      await owner.close();
    },
  };
  running.push(run);
  return run;
}

beforeEach(async () => {
  for (const list of [settled, started]) list.length = 0;
  targets.clear();
  receiver = await startReceiver();
  receiver.respond(200);
});
afterEach(async () => {
  for (const run of running.splice(0)) await run.stop();
  await receiver.close();
  await db.query('TRUNCATE delivery_queue, delivery_targets');
});

function target(url = `${receiver.url}/hook`, more: Partial<DeliveryTarget> = {}): string {
  const id = uuidv7();
  targets.set(id, { url, active: true, ...more });
  return id;
}

async function plan(
  targetId: string,
  count = 1,
  more: Partial<NewDelivery> = {},
  body = Buffer.from('{"n":1}'),
): Promise<string[]> {
  const payload = { id: uuidv7(), spaceId: SPACE, body };
  const deliveries = Array.from({ length: count }, (): NewDelivery => ({
    id: uuidv7(),
    spaceId: SPACE,
    kind: 'outgoing',
    targetId,
    eventId: uuidv7(),
    eventType: 'MESSAGE_CREATED',
    payloadId: payload.id,
    headers: { 'x-fixed': 'yes' },
    ...more,
  }));
  await runInWorkerTx(db, (tx) => planDeliveries(tx, [payload], deliveries));
  return deliveries.map((delivery) => delivery.id);
}

const detail = async (id = ''): ReturnType<typeof findDelivery> => findDelivery(db, SPACE, id);
const statusOf = async (id = ''): Promise<string | undefined> => (await detail(id))?.status;

test('the stored bytes are sent once with stored and attempt headers, and logged', async () => {
  receiver.respond({ status: 200, body: 'NUL: \0' });
  const [id] = await plan(target());
  startEngine();
  await eventually(async () => expect(await statusOf(id)).toBe('success'));
  expect(receiver.requests).toHaveLength(1);
  expect(receiver.requests[0]).toMatchObject({ method: 'POST', url: '/hook', body: Buffer.from('{"n":1}') });
  expect(receiver.requests[0]?.headers).toMatchObject({
    'x-fixed': 'yes',
    'x-attempt': '1',
    'user-agent': 'Tieline/0',
  });
  expect(await detail(id)).toMatchObject({
    attempts: 1,
    error: null,
    nextAttemptAt: null,
    attemptLog: [{ statusCode: 200, error: null, response: 'NUL: \uFFFD' }],
  });
  expect(settled).toEqual([expect.objectContaining({ deliveryId: id, outcome: 'success' })]);
});

test('a 5xx is retried until it succeeds, with increasing attempt numbers', async () => {
  let left = 2;
  receiver.respond(() => (left-- > 0 ? { status: 503, body: 'busy\0' } : 204));
  const [id] = await plan(target());
  startEngine();
  await eventually(async () => expect(await statusOf(id)).toBe('success'));
  expect((await detail(id))?.attemptLog.map(({ statusCode, response }) => [statusCode, response])).toEqual([
    [503, 'busy\uFFFD'],
    [503, 'busy\uFFFD'],
    [204, ''],
  ]);
  expect(receiver.requests.map(({ headers }) => headers['x-attempt'])).toEqual(['1', '2', '3']);
});

test('a delivery without attempts left is dead and not sent again', async () => {
  receiver.respond(500);
  const [id] = await plan(target());
  const { lanes } = startEngine();
  await eventually(async () => expect(await statusOf(id)).toBe('dead'));
  lanes.wake();
  expect(receiver.requests).toHaveLength(4);
  expect(await detail(id)).toMatchObject({ attempts: 4, error: 'receiver answered 500' });
  expect(settled).toEqual([expect.objectContaining({ outcome: 'dead' })]);
});

test.each([
  [404, 'dead'],
  [302, 'dead'],
  [410, 'dead'],
])('a %i is dead at once', async (status, expected) => {
  receiver.respond({ status, headers: { location: `${receiver.url}/elsewhere` } });
  const [id] = await plan(target());
  startEngine();
  await eventually(async () => expect(await statusOf(id)).toBe(expected));
  expect(receiver.requests).toHaveLength(1);
});

test('a delivery to a disallowed address is dead without a connection', async () => {
  const [id] = await plan(target('http://10.1.2.3/hook'));
  startEngine();
  await eventually(async () =>
    expect(await detail(id)).toMatchObject({ status: 'dead', error: 'address not allowed' }),
  );
});

test('an attempt to a hanging receiver ends at the deadline and is retried', async () => {
  receiver.respond('hang');
  const [id] = await plan(target());
  startEngine({ ...FAST, attempts: { ...FAST.attempts, timeoutMs: 300 } });
  await receiver.waitFor(2);
  const found = await detail(id);
  expect(found?.attemptLog[0]).toMatchObject({ statusCode: null, error: 'timeout' });
});

test('a retry waits exactly as long as Retry-After says', async () => {
  const later = (seconds: string) => ({ status: 429, headers: { 'retry-after': seconds } });
  receiver.respond(() => later('3600'));
  const second = await startReceiver();
  second.respond(() => (second.requests.length > 1 ? 200 : later('1')));
  const [id] = await plan(target());
  await plan(target(second.url));
  startEngine();
  const [{ at }] = (await receiver.waitFor(1)) as [ReceivedRequest];
  await eventually(async () => expect(await detail(id)).toMatchObject({ attempts: 1 }));
  const due = (await detail(id))!.nextAttemptAt!.getTime();
  expect(due - at).toBeGreaterThanOrEqual(3_600_000);
  expect(due - Date.now()).toBeLessThanOrEqual(3_600_000);
  const [one, two] = await second.waitFor(2);
  await second.close();
  expect((two?.at ?? 0) - (one?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test('deliveries to an inactive or missing target are dead, but test sends are sent', async () => {
  const inactive = target(undefined, { active: false });
  const [counted] = await plan(inactive);
  const [gone] = await plan(uuidv7());
  const [trial] = await plan(inactive, 1, { counts: false, maxAttempts: 1 });
  startEngine();
  await eventually(async () =>
    expect([await detail(counted), await detail(gone)]).toMatchObject([
      { status: 'dead', error: 'subscription inactive' },
      { status: 'dead', error: 'subscription inactive' },
    ]),
  );
  await eventually(async () => expect(await statusOf(trial)).toBe('success'));
  expect(receiver.requests).toHaveLength(1);
  expect(settled.map(({ deliveryId }) => deliveryId)).not.toContain(trial);
});

test('a test send has one attempt', async () => {
  receiver.respond(500);
  const [id] = await plan(target(), 1, { counts: false, maxAttempts: 1 });
  startEngine();
  await eventually(async () => expect(await statusOf(id)).toBe('dead'));
  expect(receiver.requests).toHaveLength(1);
});

test('ten consecutive failures open the breaker, deliveries then wait without using attempts, and a probe closes it', async () => {
  receiver.respond(500);
  const id = target();
  const begun = Date.now();
  await plan(id, 12);
  const { lanes } = startEngine({
    ...FAST,
    attempts: { ...FAST.attempts, initialMs: 60_000, maxMs: 60_000 },
    lanes: { ...LANE_LIMITS, first: { capacity: 1, perTarget: 1 } },
  });
  await eventually(async () =>
    expect(await db.query('SELECT failures FROM delivery_targets WHERE open_until IS NOT NULL')).toEqual([
      { failures: 10 },
    ]),
  );
  expect(receiver.requests).toHaveLength(10);
  const { rows: waiting } = await listDeliveries(db, {
    spaceId: SPACE,
    kind: 'outgoing',
    targetId: id,
    filter: 'all',
    limit: 50,
    cursor: '',
  });
  const untried = waiting.filter(({ attempts }) => attempts === 0);
  expect(untried).toHaveLength(2);
  expect(untried[0]?.nextAttemptAt?.getTime()).toBeGreaterThan(begun + 20_000);
  receiver.respond(200);
  lanes.probe([{ targetId: id, lane: LANES.first }]);
  await receiver.waitFor(12);
  expect(await db.query('SELECT failures, open_until FROM delivery_targets')).toEqual([
    { failures: 0, open_until: null },
  ]);
});

test('4xx and 429 never open the breaker', async () => {
  receiver.respond((request) => (request.headers['x-attempt'] === '1' ? 429 : 404));
  const id = target();
  const ids = await plan(id, 15);
  startEngine();
  await eventually(async () =>
    expect(await db.query('SELECT 1 FROM delivery_queue WHERE target_id = $1', [id])).toEqual([]),
  );
  expect(await statusOf(ids[0])).toBe('dead');
  expect(await db.query('SELECT 1 FROM delivery_targets')).toEqual([]);
});

test('deliveries over the rate are sent as soon as it allows, in order of arrival, without using attempts', async () => {
  const id = target(undefined, { ratePerSecond: 5 });
  const ids = await plan(id, 23);
  const begun = Date.now();
  startEngine();
  // Nothing wakes the engine again, so only its timer can send the rest.
  await receiver.waitFor(23, 60_000);
  // Deliveries of one window go out together.
  for (let from = 0; from < 23; from += 5)
    expect(started.slice(from, from + 5).sort()).toEqual(ids.slice(from, from + 5));
  expect(receiver.requests[22]!.at - begun).toBeGreaterThan(3500);
  await eventually(async () => expect(await db.query('SELECT 1 FROM delivery_queue')).toEqual([]));
  expect(await detail(ids[22])).toMatchObject({ status: 'success', attempts: 1 });
});

test('later deliveries do not overtake those that wait for the rate', async () => {
  const id = target(undefined, { ratePerSecond: 5 });
  // Three windows' worth, so that none holds both. Deliveries of one window are concurrent.
  const early = await plan(id, 15);
  startEngine();
  await receiver.waitFor(5);
  const late = await plan(id, 2);
  await receiver.waitFor(17, 60_000);
  expect([started.slice(0, 15).sort(), started.slice(15).sort()]).toEqual([early, late]);
});

test('a hanging receiver fills only its own places, so others get all deliveries before its timeout', async () => {
  const hanging = await startReceiver();
  hanging.respond('hang');
  try {
    await plan(target(hanging.url), 300);
    await plan(target(), 200);
    // Long enough for any machine: a delivery that waits for a place of the hanging receiver waits
    // longer than this test.
    startEngine({
      ...FAST,
      attempts: { ...FAST.attempts, timeoutMs: 120_000 },
      lanes: { ...LANE_LIMITS, first: { capacity: 64, perTarget: 8 } },
    });
    await receiver.waitFor(200, 60_000);
    await eventually(() => expect(hanging.requests).toHaveLength(8));
  } finally {
    await hanging.close();
  }
});

test('a target is not starved by many others', async () => {
  const many = Array.from({ length: 900 }, () => target());
  for (const id of many) await plan(id, 1);
  startEngine({ ...FAST, lanes: { ...LANE_LIMITS, first: { capacity: 32, perTarget: 4 } } });
  await receiver.waitFor(900, 60_000);
  await eventually(async () => expect(await db.query('SELECT 1 FROM delivery_queue')).toEqual([]));
});

test('two engines share the work and send each delivery once', async () => {
  const ids = (await Promise.all([plan(target(), 300), plan(target(), 300)])).flat();
  startEngine();
  startEngine();
  await receiver.waitFor(600, 60_000);
  await eventually(async () => expect(await db.query('SELECT 1 FROM delivery_queue')).toEqual([]));
  const attempts = await readRows<{ delivery_id: string }>(
    db,
    'SELECT delivery_id FROM delivery_attempts WHERE delivery_id = ANY($1)',
    [ids],
  );
  expect(attempts.map((attempt) => attempt.delivery_id).sort()).toEqual(ids.sort());
  expect(receiver.requests).toHaveLength(ids.length);
});

test('concurrent claims return each delivery once', async () => {
  const ids = (await Promise.all([plan(target(), 300), plan(target(), 300)])).flat();
  const claimed: string[] = [];
  const claimUntilEmpty = async (owner: number): Promise<void> => {
    const request = {
      lane: LANES.first,
      limit: 64,
      perTarget: 16,
      inFlight: new Map(),
      places: new Map(),
      probes: [],
    };
    for (let empty = 0; empty < 2; empty += 1) {
      const more = { ...request, afterTarget: NIL, owner, leaseMs: 3_600_000 };
      const { deliveries } = await claimDeliveries(db, more);
      claimed.push(...deliveries.map(({ id }) => id));
      if (deliveries.length > 0) empty = -1;
    }
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(claimUntilEmpty));
  // Claims may find nothing because each waits for what another has locked.
  await claimUntilEmpty(7);
  expect(claimed.sort()).toEqual(ids.sort());
});

function gate(): { open: () => void; opened: Promise<void> } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open, opened };
}

test('a result without a valid lease changes only the attempt log', async () => {
  receiver.respond(async () => {
    await db.query('UPDATE delivery_queue SET lease = lease + 1000000');
    return 200;
  });
  const [id] = await plan(target());
  const { lanes } = startEngine();
  await eventually(async () => expect((await detail(id))?.attemptLog).toHaveLength(1));
  await lanes.stop();
  expect(await statusOf(id)).toBe('pending');
  expect(settled).toEqual([]);
});

test('failures without a valid lease open no breaker, so a frozen worker does no harm', async () => {
  const all = gate();
  receiver.respond(async () => {
    if (receiver.requests.length === 12) {
      await db.query('UPDATE delivery_queue SET lease = lease + 1000000');
      all.open();
    }
    await all.opened;
    return 500;
  });
  const ids = await plan(target(), 12);
  const { lanes } = startEngine();
  await eventually(async () => {
    const logs = await Promise.all(ids.map(async (id) => (await detail(id))?.attemptLog));
    expect(logs.flat()).toHaveLength(12);
  });
  await lanes.stop();
  expect(await db.query('SELECT failures, open_until FROM delivery_targets')).toEqual([]);
});

test('closing the pending deliveries of a target also invalidates attempts in flight', async () => {
  const killed = gate();
  receiver.respond(async () => {
    await killed.opened;
    return 500;
  });
  const id = target();
  const [delivery] = await plan(id);
  const { lanes } = startEngine();
  await receiver.waitFor(1);
  await runInWorkerTx(db, (tx) =>
    killPending(tx, { kind: 'outgoing', targetId: id, error: 'subscription inactive' }),
  );
  killed.open();
  await lanes.stop();
  expect(await detail(delivery)).toMatchObject({ status: 'dead', error: 'subscription inactive' });
  expect(await db.query('SELECT 1 FROM delivery_queue')).toEqual([]);
});

test('leases of a dead worker are taken over immediately', async () => {
  const crashed = new LeaseOwner(database.url);
  const owner = await crashed.current();
  const [id] = await plan(target());
  await db.query(
    `UPDATE delivery_queue SET lease = 1, lease_owner = $1, lease_until = now() + interval '1 hour'`,
    [owner],
  );
  await db.query(`UPDATE delivery_workers SET started_at = now() - interval '1 minute'`);
  const { lanes, owner: alive } = startEngine();
  const sweeper = new DeliverySweeper(db, checks, lanes, awayQueue, kinds, alive, () => undefined);
  sweeper.start();
  try {
    await crashed.close();
    await eventually(async () => expect(await statusOf(id)).toBe('success'));
  } finally {
    await sweeper.stop();
  }
});

test.each([
  ['is away', false],
  ['accepts wake-ups but starts no job', true],
])('while the queue %s, the worker sends due deliveries by itself', async (_, woken) => {
  const [id] = await plan(target());
  const { lanes, owner } = startEngine(FAST, false);
  const queue = { wake: () => Promise.resolve(woken) } as unknown as Queue;
  const sweeper = new DeliverySweeper(db, checks, lanes, queue, kinds, owner, () => undefined);
  sweeper.start();
  try {
    await eventually(async () => expect(await statusOf(id)).toBe('success'));
  } finally {
    await sweeper.stop();
  }
});

test('a delivery postponed for 24 hours is dead, and so are those behind it, but not those delayed by an outage', async () => {
  const old = new Date(Date.now() - 25 * 3_600_000);
  const oldId = (): string =>
    `${uuidFloor(old).slice(0, 14)}7${uuidFloor(old).slice(15, 19)}8${uuidv7().slice(20)}`;
  const id = target();
  const [first, behind, unsent] = [oldId(), oldId(), oldId()];
  await plan(id, 1, { id: first });
  await plan(id, 1, { id: behind });
  await plan(id, 1);
  await plan(target(), 1, { id: unsent });
  await db.query('UPDATE delivery_queue SET postponed = true WHERE id = $1', [first]);
  const owner = new LeaseOwner(database.url);
  expect(await expirePostponed(db, kinds, await owner.current())).toBe(2);
  await owner.close();
  for (const dead of [first, behind])
    expect(await detail(dead)).toMatchObject({ status: 'dead', error: 'postponed for over 24 hours' });
  expect(await statusOf(unsent)).toBe('pending');
  expect(settled.map(({ deliveryId, outcome }) => [deliveryId, outcome]).sort()).toEqual(
    [first, behind].map((dead) => [dead, 'dead']).sort(),
  );
});

test('with the extended profile a delivery has 12 attempts with growing delays, and is dead after 72 hours of postponement', async () => {
  const at = (hours: number): string => {
    const floor = uuidFloor(new Date(Date.now() - hours * 3_600_000));
    return `${floor.slice(0, 14)}7${floor.slice(15, 19)}8${uuidv7().slice(20)}`;
  };
  const retryProfile = 'extended';
  const [patient, given] = [at(71), at(73)];
  const id = target();
  for (const one of [patient, given]) await plan(id, 1, { id: one, retryProfile });
  await db.query('UPDATE delivery_queue SET postponed = true WHERE target_id = $1', [id]);
  const owner = new LeaseOwner(database.url);
  expect(await expirePostponed(db, kinds, await owner.current())).toBe(1);
  await owner.close();
  expect(await detail(given)).toMatchObject({ status: 'dead', error: 'postponed for over 72 hours' });
  receiver.respond(() => (receiver.requests.length > 1 ? 'hang' : 500));
  startEngine();
  const [row] = await eventually(async () => {
    const rows = await readRows<{ max_attempts: number; wait: number }>(
      db,
      `SELECT max_attempts, extract(epoch FROM due_at - at)::float8 AS wait FROM delivery_queue
       JOIN delivery_attempts ON delivery_id = id WHERE id = $1`,
      [patient],
    );
    expect(rows).toHaveLength(1);
    return rows;
  });
  expect(row).toMatchObject({ max_attempts: 12 });
  expect(row!.wait).toBeGreaterThanOrEqual(4);
  await receiver.close(); // ends an attempt that may be under way
});

test('logs are listed newest first, in pages and with filters', async () => {
  receiver.respond((request) => (request.body.toString().includes('bad') ? 404 : 200));
  const id = target();
  const good = await plan(id, 3);
  const bad = await plan(id, 2, {}, Buffer.from('bad'));
  startEngine();
  await eventually(async () => expect(await db.query('SELECT 1 FROM delivery_queue')).toEqual([]));
  const list = async (filter: 'all' | 'success' | 'failed', limit = 50, cursor = ''): Promise<string[]> =>
    (
      await listDeliveries(db, { spaceId: SPACE, kind: 'outgoing', targetId: id, filter, limit, cursor })
    ).rows.map((row) => row.id);
  expect(await list('failed')).toEqual([...bad].reverse());
  expect(await list('success')).toEqual([...good].reverse());
  const page = await list('all', 2);
  expect([...page, ...(await list('all', 9, page[1]))]).toEqual([...good, ...bad].reverse());
});

test('log partitions of today exist and those out of retention are dropped', async () => {
  const day = (offset: number): string =>
    new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
  const names = async (): Promise<string[]> =>
    (
      await readRows<{ name: string }>(
        db,
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'deliveries'::regclass",
      )
    ).map((row) => row.name);
  expect(await names()).toEqual(expect.arrayContaining([`deliveries_${day(0)}`, `deliveries_${day(3)}`]));
  await rotatePartitions(db, new Date(Date.now() + 34 * 86_400_000));
  expect(await names()).not.toContain(`deliveries_${day(0)}`);
  await rotatePartitions(db);
  expect(await names()).toContain(`deliveries_${day(0)}`);
});
