import { uuidv7 } from 'uuidv7';
import { DueChecks, runInWorkerTx } from '@tieline/platform/database';
import { eventually, failing, statementsDuring } from '@tieline/testing';
import type { Queue } from '@tieline/queue';
import { DeliverySweeper } from '../claims/delivery-sweeper.js';
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

function startSweeper(checks = new DueChecks(rig.db)): DeliverySweeper {
  const queue = { wake: () => Promise.resolve(true) } as unknown as Queue;
  const failed = (error: unknown): void => void rig.failures.push(error);
  const sweeper = new DeliverySweeper(rig.db, checks, rig.lanes, queue, rig.kinds, rig.owner, failed);
  sweeper.start();
  return sweeper;
}

/** Holds all responses of the receiver until the returned function is called. */
function hold(): () => void {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  rig.receiver.respond(() => answered.then(() => 200));
  return answer;
}
const at = (key: string, position: number) => ({ order: { key, position } });
const allSettled = () => eventually(async () => expect([await rig.left(), rig.lanes.busy]).toEqual([0, 0]));

test('the first delivery of a line is leased when it is planned, those behind it are not', async () => {
  const answer = hold();
  const [id, line, other] = [rig.target(), uuidv7(), uuidv7()];
  await rig.plan(id, 2, at(line, 1));
  expect(await rig.leases(id)).toBe(1);
  await rig.plan(id, 1, at(line, 2));
  expect(await rig.leases(id)).toBe(1);
  // Those that wait in one line do not hold back another one of their target.
  await rig.plan(id, 1, at(other, 1));
  expect(await rig.leases(id)).toBe(2);
  answer();
  await allSettled();
});

test('those behind the first one of a line take no place from others of their target', async () => {
  const answer = hold();
  const [id, line, other] = [rig.target(), uuidv7(), uuidv7()];
  await rig.plan(id, perTarget + 1, (n) => at(n < perTarget ? line : other, n));
  expect(await rig.leases(id)).toBe(2);
  answer();
  await allSettled();
});

test('deliveries of a line follow each other without claims', async () => {
  const answer = hold();
  const [id, line] = [rig.target(), uuidv7()];
  for (let position = 1; position <= 5; position += 1) await rig.plan(id, 1, at(line, position));
  const statements = await statementsDuring(rig.db, async () => {
    answer();
    await rig.receiver.waitFor(5);
    await allSettled();
  });
  const sent = (name: string): number => statements.filter((one) => one === name).length;
  expect(sent('deliveries.settle_successes')).toBe(5);
  expect(sent('deliveries.release_next')).toBe(5);
  expect(sent('deliveries.claim_of_targets')).toBe(0);
});

/** Finds released deliveries that nothing sends. */
const DUE = "SELECT 1 FROM delivery_queue WHERE due_at < 'infinity' AND lease IS NULL";

test('a line whose order ends with the first attempt continues after a failed one', async () => {
  rig.receiver.respond(failing(1, 500));
  const [id, key] = [rig.target(), uuidv7()];
  await rig.plan(id, 2, (position) => ({ order: { key, position, firstAttempts: true } }));
  await rig.receiver.waitFor(2);
  await eventually(async () => expect([await rig.left(), rig.lanes.busy]).toEqual([1, 0]));
  expect(rig.claims).toBe(0);
});

test('the next delivery of a line waits for the breaker of its target', async () => {
  const answer = hold();
  const [id, line] = [rig.target(), uuidv7()];
  await rig.plan(id, 2, at(line, 1));
  await rig.receiver.waitFor(1);
  await rig.openBreaker(id);
  // The result of the first delivery closes breakers with failures.
  await rig.db.query('UPDATE delivery_targets SET failures = 0');
  answer();
  await eventually(async () => expect(await rig.db.query(DUE)).toHaveLength(1));
  await eventually(() => expect(rig.claims).toBe(1));
  expect([rig.receiver.requests.length, rig.lanes.busy]).toEqual([1, 0]);
});

test('the next delivery of a line is claimed after others that wait for its target', async () => {
  const answer = hold();
  const [id, line] = [rig.target(), uuidv7()];
  await rig.plan(id, 2, at(line, 1));
  await rig.receiver.waitFor(1);
  await runInWorkerTx(rig.db, (tx) => rig.planIn(tx, id, 1));
  answer();
  await rig.receiver.waitFor(3);
  expect(rig.claims).toBe(1);
});

test('a worker that stops leaves the next delivery of a line to others', async () => {
  const answer = hold();
  await rig.plan(rig.target(), 2, at(uuidv7(), 1));
  await rig.receiver.waitFor(1);
  const stopped = rig.lanes.stop();
  answer();
  await stopped;
  expect(await rig.db.query(DUE)).toHaveLength(1);
  expect([rig.receiver.requests.length, rig.lanes.busy]).toEqual([1, 0]);
});

test('lines that cannot be continued are left to a sweep, and their places are free', async () => {
  const answer = hold();
  await rig.plan(rig.target(), 2, at(uuidv7(), 1));
  await rig.receiver.waitFor(1);
  await rig.db.query('ALTER SEQUENCE delivery_lease RENAME TO gone');
  answer();
  await eventually(() => expect(rig.failures).toHaveLength(1));
  await rig.db.query('ALTER SEQUENCE gone RENAME TO delivery_lease');
  await eventually(() => expect(rig.lanes.busy).toBe(0));
  const sweeper = startSweeper();
  await rig.receiver.waitFor(2).finally(() => sweeper.stop());
});

test('a delivery that is planned while the one before it in its line ends is sent after its commit', async () => {
  const answer = hold();
  const checks = new DueChecks(rig.db);
  const sweeper = startSweeper(checks);
  // Without checks, no sweep releases the second delivery.
  await checks.beforeApplicationShutdown();
  const [id, line] = [rig.target(), uuidv7()];
  try {
    await rig.plan(id, 1, at(line, 1));
    await rig.receiver.waitFor(1);
    await runInWorkerTx(rig.db, async (tx) => {
      await rig.planIn(tx, id, 1, at(line, 2));
      answer();
      await allSettled();
    });
    await rig.receiver.waitFor(2);
    await allSettled();
  } finally {
    await sweeper.stop();
  }
});
