import { jest } from '@jest/globals';
import { runInWorkerTx } from '@tieline/platform/database';
import { eventually, readRows } from '@tieline/testing';
import { releaseDeadLeases } from '../claims/lease-owner.js';
import { LANE_LIMITS } from '../lanes/delivery-lanes.js';
import { DirectRig } from '../../testing/direct-rig.js';

const { perTarget } = LANE_LIMITS.first;
let rig: DirectRig;

beforeAll(async () => {
  rig = await DirectRig.start();
});
beforeEach(() => rig.begin());
afterEach(() => rig.end());
afterAll(() => rig?.close());

test('a planned delivery is leased, sent with its exact bytes and settled without a claim', async () => {
  expect(await rig.plan(rig.target())).toBe(1);
  const [request] = await rig.receiver.waitFor(1);
  expect(request?.body.toString()).toBe('{"exact": 1.0}');
  expect(request?.headers).toMatchObject({ 'x-planned': '1', 'x-id': expect.any(String) });
  await eventually(async () => expect(await rig.left()).toBe(0));
  const logged = await readRows(
    rig.db,
    'SELECT status, attempts, error FROM deliveries ORDER BY id DESC LIMIT 1',
  );
  expect(logged).toEqual([{ status: 'success', attempts: 1, error: null }]);
  const attempts = await readRows(
    rig.db,
    'SELECT attempt, status_code FROM delivery_attempts ORDER BY at DESC LIMIT 1',
  );
  expect(attempts).toEqual([{ attempt: 1, status_code: 200 }]);
  await eventually(() => expect(rig.lanes.busy).toBe(0));
  expect(rig.claims).toBe(0);
});

test('a target gets no more than its places, and the rest follow by claims', async () => {
  rig.receiver.respond({ status: 200, delayMs: 1000 });
  const one = rig.target();
  expect(await rig.plan(one, perTarget + 4)).toBe(perTarget);
  expect(await rig.plan(one, 1)).toBe(0);
  rig.lanes.deliveries.start();
  await rig.receiver.waitFor(perTarget + 5);
  await eventually(async () => expect(await rig.left()).toBe(0));
});

test('deliveries wait behind others of their target, for its breaker, and as test sends', async () => {
  const [busy, broken, tried] = [rig.target(), rig.target(), rig.target()];
  await runInWorkerTx(rig.db, (tx) => rig.planIn(tx, busy, 1));
  await rig.openBreaker(broken);
  expect(await rig.plan(busy)).toBe(0);
  expect(await rig.plan(broken)).toBe(0);
  expect(await rig.plan(tried, 1, { counts: false })).toBe(0);
  expect(rig.lanes.busy).toBe(0);
});

test('the rate of a target applies, and what exceeds it keeps its place in the queue', async () => {
  const one = rig.target({ ratePerSecond: 5 });
  await rig.plan(one, 8);
  await rig.receiver.waitFor(5);
  await eventually(async () => expect(await rig.left()).toBe(3));
  // Nothing is leased beside those that wait.
  expect(await rig.plan(one)).toBe(0);
  expect(rig.receiver.requests).toHaveLength(5);
});

test('a rolled back plan sends nothing and frees its places', async () => {
  const batch = rig.lanes.beginDirect();
  const work = runInWorkerTx(rig.db, async (tx) => {
    await rig.planIn(tx, rig.target(), 3, {}, batch);
    expect(rig.lanes.busy).toBe(3);
    throw new Error('rolled back');
  });
  await expect(work).rejects.toThrow('rolled back');
  batch?.release();
  expect([rig.lanes.busy, await rig.left(), rig.receiver.requests]).toEqual([0, 0, []]);
});

test('after a commit with an unknown outcome, only committed deliveries are sent', async () => {
  const [committed, lost] = [rig.lanes.beginDirect(), rig.lanes.beginDirect()];
  await runInWorkerTx(rig.db, (tx) => rig.planIn(tx, rig.target(), 1, {}, committed));
  await runInWorkerTx(rig.db, async (tx) => {
    await rig.planIn(tx, rig.target(), 1, {}, lost);
    throw new Error('rolled back');
  }).catch(() => undefined);
  committed?.send(false);
  lost?.send(false);
  await rig.receiver.waitFor(1);
  await eventually(() => expect(rig.lanes.busy).toBe(0));
  expect(rig.receiver.requests).toHaveLength(1);
});

test('what a worker leased and did not send is released when it dies', async () => {
  const one = rig.target();
  const batch = rig.lanes.beginDirect();
  await runInWorkerTx(rig.db, (tx) => rig.planIn(tx, one, 2, {}, batch));
  expect(await rig.leases(one)).toBe(2);
  await rig.owner.close();
  await rig.db.query(`UPDATE delivery_workers SET started_at = now() - interval '1 minute'`);
  await eventually(async () => expect(await releaseDeadLeases(rig.db)).toBe(2));
  expect(await rig.leases(one)).toBe(0);
  batch?.release();
});

test('a worker that is stopping leases nothing and waits for the plan under way', async () => {
  const batch = rig.lanes.beginDirect();
  await runInWorkerTx(rig.db, (tx) => rig.planIn(tx, rig.target(), 1, {}, batch));
  const stopped = rig.lanes.stop();
  expect(rig.lanes.beginDirect()).toBeUndefined();
  batch?.send(true);
  await stopped;
  expect([rig.receiver.requests.length, await rig.left()]).toEqual([1, 0]);
});

test('a worker that stood still while connecting does not send what another worker took over', async () => {
  const now = performance.now.bind(performance);
  let stoodMs = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + stoodMs);
  rig.resolve = async () => {
    stoodMs = 6_000;
    await rig.db.query("UPDATE delivery_queue SET lease = nextval('delivery_lease'), lease_owner = 0");
    return ['127.0.0.1'];
  };
  const url = `${rig.receiver.url.replace('127.0.0.1', 'frozen.example')}/hook`;
  expect(await rig.plan(rig.target({ url }))).toBe(1);
  await eventually(() => expect(rig.lanes.busy).toBe(0));
  clock.mockRestore();
  expect([stoodMs, rig.receiver.requests]).toEqual([6_000, []]);
});
