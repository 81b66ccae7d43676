import { jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { PLANNING_BUDGET, checkRowBudget } from '../fairness/planning-budget.js';
import { appendOutbox } from '../outbox-event.js';
import type { OutboxRecord } from '../outbox-event.js';
import { OutboxRelay } from '../outbox-relay.js';
import { RelayLeadership } from '../relay-leadership.js';
import { partOf } from './event-parts.js';

interface Fact {
  n: number;
  /** The targets of each of the two subscribers that plan in parts. */
  bots: { id: string }[];
  targets: { id: string }[];
}

let database: TestDatabase;
let db: Db;
let relay: OutboxRelay;
/** The events of each committed batch, with the number of deliveries planned. */
let batches: { spaceId: string; n: number; deliveries: number }[][];
/** The events that a subscriber without parts has planned and seen committed. */
let others: { planned: number[]; committed: number[] };
/** How many commits it got. */
let commits: number;
/** Called before deliveries are planned. */
let beforePlanning: (planned: number, n: number) => void;
let failures: unknown[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query('CREATE TABLE planned (event_id uuid, target_id uuid)');
  await db.query('CREATE TABLE planned_bots (event_id uuid, target_id uuid)');
});
beforeEach(() => {
  // Spaces stay active for a second, which must not pass between two steps of a test.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  [batches, failures] = [[], []];
  others = { planned: [], committed: [] };
  commits = 0;
  beforePlanning = () => undefined;
  relay = startRelay();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await relay.stop();
  await db.query('TRUNCATE planned, planned_bots, outbox, outbox_rejected');
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

function startRelay(): OutboxRelay {
  const made = new OutboxRelay(db, new RelayLeadership(database.url), {
    failed: (error) => failures.push(error),
  });
  let planned: (typeof batches)[number] = [];
  made.subscribe({
    name: 'bots',
    plansInParts: true,
    plan: async (tx, records) => {
      for (const [record, bots] of targetsOf(tx, records, 'bots'))
        await insert(tx, 'planned_bots', record, bots);
    },
  });
  made.subscribe({
    name: 'deliveries',
    plansInParts: true,
    plan: async (tx, records) => void (planned = await planDeliveries(tx, records)),
    committed: () => void batches.push(planned),
  });
  made.subscribe({
    name: 'others',
    plan: async (_tx, records) => void others.planned.push(...numbersOf(records)),
    committed: (records) => {
      others.committed.push(...numbersOf(records));
      commits += 1;
    },
  });
  return made;
}

const numbersOf = (records: OutboxRecord[]): number[] =>
  (records as OutboxRecord<Fact>[]).map(({ payload }) => payload.n);

/** Returns the targets to plan now. @throws OverBudget */
function targetsOf(
  tx: Tx,
  records: OutboxRecord[],
  kind: 'bots' | 'targets',
): [OutboxRecord<Fact>, readonly { id: string }[]][] {
  const found = (records as OutboxRecord<Fact>[]).map(
    (record) => [record, partOf(tx, record, record.payload[kind])] satisfies [unknown, unknown],
  );
  checkRowBudget(tx, new Map(found.map(([{ eventId }, { length }]) => [eventId, length])));
  return found;
}

async function planDeliveries(tx: Tx, records: OutboxRecord[]): Promise<(typeof batches)[number]> {
  const found = targetsOf(tx, records, 'targets');
  for (const [record, targets] of found) {
    beforePlanning(
      batches.flat().reduce((sum, { deliveries }) => sum + deliveries, 0),
      record.payload.n,
    );
    await insert(tx, 'planned', record, targets);
  }
  return found.map(([{ spaceId, payload }, { length }]) => ({ spaceId, n: payload.n, deliveries: length }));
}

async function insert(
  tx: Tx,
  table: 'planned' | 'planned_bots',
  { eventId }: OutboxRecord,
  targets: readonly { id: string }[],
): Promise<void> {
  await tx.query(`INSERT INTO ${table} SELECT $1, unnest($2::uuid[])`, [
    eventId,
    targets.map(({ id }) => id),
  ]);
}

/** In any order, as a planner's index has them. */
const someTargets = (count: number): { id: string }[] =>
  Array.from({ length: count }, () => ({ id: uuidv7() })).reverse();

/** Appends events of a space with these numbers of targets, or pairs of bots and targets. */
async function emit(spaceId: string, ...counts: (number | [bots: number, targets: number])[]): Promise<void> {
  const events = counts.map((count, n) => {
    const [bots, targets] = typeof count === 'number' ? [0, count] : count;
    const payload: Fact = { n, bots: someTargets(bots), targets: someTargets(targets) };
    return { eventId: uuidv7(), spaceId, type: 'FACT', payload };
  });
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
}

async function relayAll(): Promise<void> {
  while ((await relay.relayBatch()) > 0);
}

/** The batches of one space, as numbers of deliveries per event. */
const batchesOf = (spaceId: string): [n: number, deliveries: number][][] =>
  batches.flatMap((batch) => {
    const own = batch.filter((one) => one.spaceId === spaceId);
    return own.length > 0 ? [own.map(({ n, deliveries }) => [n, deliveries])] : [];
  });

async function countPlanned(table = 'planned'): Promise<{ all: number; distinct: number }> {
  const [row] = await readRows<{ all: number; distinct: number }>(
    db,
    `SELECT count(*)::int AS all, count(DISTINCT (event_id, target_id))::int AS distinct FROM ${table}`,
  );
  return row ?? { all: 0, distinct: 0 };
}

test('while another space is active, an event with 300 deliveries is planned in parts, with the events of the other in between', async () => {
  const [large, quiet] = [uuidv7(), uuidv7()];
  await emit(quiet, 1);
  await relay.relayBatch();
  await emit(large, 300, 2);
  await relay.relayBatch();
  await emit(quiet, 1);
  await relayAll();
  const order = batches.map((batch) => (batch[0]?.spaceId === quiet ? 'quiet' : 'large'));
  expect(order.slice(0, 4)).toEqual(['quiet', 'large', 'quiet', 'large']);
  expect(batchesOf(large).slice(0, 3)).toEqual([[[0, 64]], [[0, 64]], [[0, 64]]]);
  expect(batchesOf(large).flat().at(-1)).toEqual([1, 2]);
  expect(await countPlanned()).toEqual({ all: 304, distinct: 304 });
  expect(failures).toEqual([]);
});

test('the rest of an event that was alone in its batch is not planned together with events of other spaces', async () => {
  const [large, quiet] = [uuidv7(), uuidv7()];
  await emit(quiet, 1);
  await relay.relayBatch();
  await emit(large, 200);
  await relay.relayBatch();
  await emit(quiet, 1);
  await relayAll();
  expect(batchesOf(large)).toEqual([[[0, 64]], [[0, 64]], [[0, 64]], [[0, 8]]]);
  expect(batches.filter((batch) => batch.length > 1)).toEqual([]);
});

test('subscribers that do not plan in parts get an event once, with its first part', async () => {
  await emit(uuidv7(), 2500);
  await relay.relayBatch();
  expect(others).toEqual({ planned: [0], committed: [0] });
  await relayAll();
  expect(others).toEqual({ planned: [0], committed: [0] });
  // They may have to report a gap that was noticed when a part was taken.
  expect(commits).toBe(3);
});

test('in a single space, only an event with more than 1,000 deliveries is planned in parts', async () => {
  const space = uuidv7();
  await emit(space, 1000, 2500, 1);
  await relayAll();
  expect(batchesOf(space)).toEqual([[[0, 1000]], [[1, 1000]], [[1, 1000]], [[1, 500]], [[2, 1]]]);
  expect(PLANNING_BUDGET.rows).toBe(1000);
});

test('another relay plans the rest of an event exactly once', async () => {
  await emit(uuidv7(), 2500, 10);
  await relay.relayBatch();
  await relay.stop();
  relay = startRelay();
  await relayAll();
  expect(await countPlanned()).toEqual({ all: 2510, distinct: 2510 });
});

test('the event stays in the outbox with its place and age until its last part is planned', async () => {
  const stored = (): Promise<unknown[]> =>
    readRows(
      db,
      "SELECT id, event_id, space_id, type, payload, traceparent, date_trunc('milliseconds', created_at) AS created_at FROM outbox",
    );
  await emit(uuidv7(), 2500);
  const before = await stored();
  await relay.relayBatch();
  expect(await stored()).toEqual(before);
  await relayAll();
  expect(await stored()).toEqual([]);
});

test('a part whose transaction fails is planned again', async () => {
  await emit(uuidv7(), 2500);
  let failed = false;
  beforePlanning = (planned) => {
    if (planned < 1000 || failed) return;
    failed = true;
    throw Object.assign(new Error('the connection was lost'), { code: 'ECONNRESET' });
  };
  await relay.relayBatch();
  await expect(relay.relayBatch()).rejects.toThrow('the connection was lost');
  await relayAll();
  expect(await countPlanned()).toEqual({ all: 2500, distinct: 2500 });
  expect(others.planned).toEqual([0]);
});

test('an event whose later part can’t be planned is rejected, and continues there when it is put back', async () => {
  await emit(uuidv7(), 2500, 1);
  let isBroken = true;
  beforePlanning = (planned, n) => {
    if (n === 0 && planned === 1000 && isBroken) throw new Error('bad target');
  };
  await relayAll();
  expect(await countPlanned()).toMatchObject({ all: 1001 });
  isBroken = false;
  const { rowCount } = await db.pool.query(
    `WITH back AS (DELETE FROM outbox_rejected RETURNING event_id, space_id, type, payload, plan_cursor)
     INSERT INTO outbox (event_id, space_id, type, payload, plan_cursor) SELECT event_id, space_id, type, payload, plan_cursor FROM back`,
  );
  expect(rowCount).toBe(1);
  await relayAll();
  expect(await countPlanned()).toEqual({ all: 2501, distinct: 2501 });
  expect(others.planned).toEqual([0, 1]);
});

test('large events beside one that can’t be planned are planned whole, in order', async () => {
  const [space, quiet] = [uuidv7(), uuidv7()];
  await emit(quiet, 1);
  await relay.relayBatch();
  await emit(space, 1, 100, 100);
  await db.query("UPDATE outbox SET payload = '{' WHERE space_id = $1 AND payload LIKE '{\"n\":0,%'", [
    space,
  ]);
  await relayAll();
  expect((await db.query('SELECT 1 FROM outbox_rejected')).length).toBe(1);
  expect(
    batchesOf(space)
      .flat()
      .map(([n]) => n),
  ).toEqual([1, 1, 2, 2]);
  expect(await countPlanned()).toEqual({ all: 201, distinct: 201 });
});

test('subscribers that plan in parts do so one after the other, and share a transaction at the border', async () => {
  await emit(uuidv7(), [1700, 500], 1);
  /** Numbers of bots and targets after each transaction. */
  const steps: number[][] = [];
  while ((await relay.relayBatch()) > 0)
    steps.push([(await countPlanned('planned_bots')).all, (await countPlanned()).all]);
  expect(steps).toEqual([
    [1000, 0],
    [1700, 300],
    [1700, 500],
    [1700, 501],
  ]);
  expect(await countPlanned('planned_bots')).toEqual({ all: 1700, distinct: 1700 });
  expect(await countPlanned()).toEqual({ all: 501, distinct: 501 });
  expect(others.planned).toEqual([0, 1]);
});

test('a part that ends exactly with the targets of one subscriber is followed by those of the next', async () => {
  await emit(uuidv7(), [1000, 5]);
  await relay.relayBatch();
  expect(await countPlanned()).toMatchObject({ all: 0 });
  await relay.stop();
  relay = startRelay();
  await relayAll();
  expect([await countPlanned('planned_bots'), await countPlanned()]).toEqual([
    { all: 1000, distinct: 1000 },
    { all: 5, distinct: 5 },
  ]);
});
