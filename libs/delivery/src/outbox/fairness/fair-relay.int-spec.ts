import { jest } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendOutbox } from '../outbox-event.js';
import type { OutboxRecord } from '../outbox-event.js';
import { OutboxRelay } from '../outbox-relay.js';
import { checkRowBudget, PLANNING_BUDGET } from './planning-budget.js';
import { RelayLeadership } from '../relay-leadership.js';

let database: TestDatabase;
let db: Db;
/** The events of each committed batch. */
let batches: OutboxRecord[][];
let relay: OutboxRelay;
let failures: unknown[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query('CREATE TABLE planned (n bigint GENERATED ALWAYS AS IDENTITY, event_id uuid, copy int)');
});
beforeEach(() => {
  // Spaces stay active for a second, which must not pass between two steps of a test.
  jest.spyOn(performance, 'now').mockReturnValue(performance.now());
  batches = [];
  failures = [];
  relay = new OutboxRelay(db, new RelayLeadership(database.url), { failed: (error) => failures.push(error) });
  relay.subscribe({ name: 'test', plan, committed: (records) => void batches.push(records) });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await relay.stop();
  await db.query('TRUNCATE planned, outbox, outbox_rejected');
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

interface Fact {
  n: number;
  /** Number of deliveries to plan. */
  rows: number;
  bad?: boolean;
  filler?: string;
}

/** Writes as many rows as the events say. */
async function plan(tx: Tx, records: OutboxRecord[]): Promise<void> {
  const facts = (records as OutboxRecord<Fact>[]).map(({ eventId, payload }) => ({ eventId, ...payload }));
  checkRowBudget(tx, new Map(facts.flatMap(({ eventId, rows }) => (rows > 0 ? [[eventId, rows]] : []))));
  if (facts.some(({ bad }) => bad)) throw new Error('bad');
  await tx.query(
    'INSERT INTO planned (event_id, copy) SELECT e.id, generate_series(1, e.rows) FROM unnest($1::uuid[], $2::int[]) AS e(id, rows)',
    [facts.map(({ eventId }) => eventId), facts.map(({ rows }) => rows)],
  );
}

async function emit(spaceId: string, facts: Omit<Fact, 'n'>[]): Promise<void> {
  const events = facts.map((fact, n) => ({
    ...{ eventId: uuidv7(), spaceId, type: 'FACT' },
    payload: { ...fact, n },
  }));
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
}

const times = (count: number, fact: Omit<Fact, 'n'>): Omit<Fact, 'n'>[] =>
  Array.from({ length: count }, () => fact);

async function relayAll(): Promise<void> {
  while ((await relay.relayBatch()) > 0);
}

const rowsOf = (batch: OutboxRecord[]): number =>
  (batch as OutboxRecord<Fact>[]).reduce((sum, { payload }) => sum + payload.rows, 0);
/** Returns a space's events in the order in which they were planned. */
const orderOf = (spaceId: string): number[] =>
  batches
    .flat()
    .flatMap((record) => (record.spaceId === spaceId ? (record as OutboxRecord<Fact>).payload.n : []));
const upTo = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test('60,000 deliveries of one space: the event of another is planned in the first transaction, and each transaction keeps to the budget', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  await emit(free, times(200, { rows: 300 }));
  await emit(next, times(1, { rows: 2 }));
  await relay.relayBatch();
  expect(batches).toHaveLength(1);
  expect(orderOf(next)).toEqual([0]);
  await relayAll();
  expect(Math.max(...batches.map(rowsOf))).toBeLessThanOrEqual(PLANNING_BUDGET.rows);
  expect(orderOf(free)).toEqual(upTo(200));
  const [row] = await readRows<{ count: number }>(db, 'SELECT count(*)::int AS count FROM planned');
  expect([row?.count, failures]).toEqual([60_002, []]);
});

test('a space whose events mean 300 deliveries each is planned after the others of its first batch', async () => {
  const [noisy, quiet] = [uuidv7(), uuidv7()];
  await emit(noisy, times(3, { rows: 300 }));
  await emit(quiet, times(2, { rows: 2 }));
  await relayAll();
  expect(batches[0]?.map(({ spaceId }) => spaceId)).toEqual([quiet, quiet]);
  expect(orderOf(noisy)).toEqual(upTo(3));
});

test('soon after an event of another space, a batch holds one event with 300 deliveries and not three', async () => {
  const [noisy, quiet] = [uuidv7(), uuidv7()];
  await emit(quiet, times(1, { rows: 2 }));
  await relay.relayBatch();
  await emit(noisy, times(3, { rows: 300 }));
  await relayAll();
  expect(batches.map(rowsOf)).toEqual([2, 300, 300, 300]);
});

test('when one of two large spaces has no events left, the other is planned to its end', async () => {
  const [short, long] = [uuidv7(), uuidv7()];
  await emit(short, times(3, { rows: 300 }));
  await emit(long, times(9, { rows: 300 }));
  await relayAll();
  expect([orderOf(short), orderOf(long)]).toEqual([upTo(3), upTo(9)]);
});

test('an event that arrives while a noisy space is planned waits for one transaction', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  await emit(free, times(100, { rows: 300 }));
  await relay.relayBatch();
  for (let n = 0; n < 5; n += 1) {
    batches.length = 0;
    await emit(next, times(3, { rows: 2 }));
    await relay.relayBatch();
    expect(batches[0]?.map(({ spaceId }) => spaceId)).toEqual([next, next, next]);
  }
});

test('turns of a noisy space are short while other spaces are active', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  await emit(free, times(200, { rows: 100 }));
  await relay.relayBatch();
  batches.length = 0;
  for (let n = 0; n < 5; n += 1) {
    await emit(next, times(1, { rows: 1 }));
    await relay.relayBatch();
  }
  const turns = batches.filter(([first]) => first?.spaceId === free).map(rowsOf);
  expect(turns).toHaveLength(5);
  expect(Math.max(...turns)).toBeLessThanOrEqual(PLANNING_BUDGET.rows / 3);
  await relayAll();
  expect(orderOf(free)).toEqual(upTo(200).slice(10));
});

test('a noisy space pauses after each turn for longer than the turn took while other spaces are active', async () => {
  jest.restoreAllMocks();
  const [free, next] = [uuidv7(), uuidv7()];
  const turns: { begun: number; ended: number; othersAgo: number; othersRest: number }[] = [];
  const timed = new OutboxRelay(db, new RelayLeadership(database.url), {
    failed: (error) => failures.push(error),
  });
  let begun = 0;
  let othersAt = -Infinity;
  /** Time between the latest two events of other spaces. */
  let othersRest = Infinity;
  let isFlood = false;
  timed.subscribe({
    name: 'test',
    plan: async (tx, records) => {
      begun = performance.now();
      isFlood = records[0]?.spaceId === free;
      await plan(tx, records);
      // Makes a turn take much longer than the other events.
      if (isFlood) await tx.query('SELECT pg_sleep(0.04)');
    },
    committed: (records) => {
      batches.push(records);
      const ended = performance.now();
      if (isFlood) {
        turns.push({ begun, ended, othersAgo: begun - othersAt, othersRest });
      } else {
        othersRest = ended - othersAt;
        othersAt = ended;
      }
    },
  });
  await emit(free, times(100, { rows: 900 }));
  // Without other spaces there are no pauses, as before the other space's first event, and while a
  // busy machine delays its next one.
  const isBeside = (turn: { othersAgo: number; othersRest: number }): boolean =>
    Math.max(turn.othersAgo, turn.othersRest) <= 500;
  /** Returns each pause between two such turns, as a multiple of the turn before. */
  const rests = (): number[] =>
    turns.flatMap((turn, n) => {
      const last = turns[n - 1];
      return last && isBeside(turn) && isBeside(last)
        ? [(turn.begun - last.ended) / Math.max(last.ended - last.begun, 1)]
        : [];
    });
  timed.start();
  for (let n = 0; rests().length < 6; n += 1) {
    await emit(next, times(1, { rows: 1 }));
    timed.wake();
    await eventually(() => expect(orderOf(next)).toHaveLength(n + 1));
  }
  await timed.stop();
  expect(Math.min(...rests())).toBeGreaterThan(2);
  expect(failures).toEqual([]);
});

test('3,000 events without deliveries do not delay other spaces either', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  await emit(free, times(3000, { rows: 0 }));
  await relay.relayBatch();
  await relay.relayBatch();
  await emit(next, times(1, { rows: 1 }));
  batches.length = 0;
  await relay.relayBatch();
  expect(batches[0]?.map(({ spaceId }) => spaceId)).toEqual([next]);
  await relayAll();
  expect(orderOf(free)).toEqual(upTo(3000).slice(1000));
});

/** Returns how many rows of the outbox's index this transaction has read. */
async function outboxRowsRead(tx: Tx): Promise<number> {
  const [row] = await readRows<{ n: number }>(
    tx,
    "SELECT pg_stat_get_xact_tuples_returned('outbox_pkey'::regclass)::int AS n",
  );
  return row?.n ?? 0;
}

test('batches of other spaces do not read the waiting events of a noisy space again', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  let read = 0;
  relay.subscribe({ name: 'reader', plan: async (tx) => void (read = await outboxRowsRead(tx)) });
  await emit(free, times(2000, { rows: 300 }));
  await relay.relayBatch();
  const readAtFirst = read;
  // A transaction that writes in another database of the server keeps the mark down until it ends.
  await eventually(async () => {
    await emit(next, times(1, { rows: 1 }));
    await relay.relayBatch(true);
    expect(read).toBeLessThan(100);
  });
  expect(readAtFirst).toBeGreaterThan(400);
  expect(orderOf(free).length).toBeLessThan(100);
});

test('an event of a formerly noisy space that commits late is planned', async () => {
  const [free, other, next] = [uuidv7(), uuidv7(), uuidv7()];
  const late = await db.pool.connect();
  try {
    await late.query('BEGIN; SELECT pg_current_xact_id()');
    await late.query(
      `INSERT INTO outbox (event_id, space_id, type, payload) VALUES ('${uuidv7()}', '${free}', 'FACT', '{"n":50,"rows":1}')`,
    );
    for (const space of [free, other]) await emit(space, times(50, { rows: 300 }));
    for (let n = 0; n < 200; n += 1) {
      if (n % 4 === 0) await emit(next, times(1, { rows: 1 }));
      await relay.relayBatch();
    }
    await late.query('COMMIT');
  } finally {
    late.release();
  }
  await relayAll();
  expect(orderOf(free)).toContain(50);
  expect(orderOf(other)).toEqual(upTo(50));
});

test('two noisy spaces take turns', async () => {
  const spaces = [uuidv7(), uuidv7()];
  for (const space of spaces) await emit(space, times(50, { rows: 300 }));
  await relayAll();
  const places = batches.map((batch) => spaces.indexOf(batch[0]?.spaceId ?? ''));
  const middle = places.slice(1, 15);
  expect(middle.filter((space) => space === 0).length).toBeGreaterThan(4);
  expect(middle.filter((space) => space === 1).length).toBeGreaterThan(4);
  for (const space of spaces) expect(orderOf(space)).toEqual(upTo(50));
});

test('many spaces that only together exceed the budget are planned in few transactions, without turns', async () => {
  const spaces = Array.from({ length: 50 }, () => uuidv7());
  for (const space of spaces) await emit(space, times(2, { rows: 50 }));
  await relayAll();
  expect(batches.length).toBeLessThan(10);
  for (const space of spaces) expect(orderOf(space)).toEqual([0, 1]);
});

test('an event that exceeds the budget is planned alone', async () => {
  const space = uuidv7();
  await emit(space, [{ rows: 1 }, { rows: 3000 }, { rows: 1 }]);
  await relayAll();
  expect(batches.map(rowsOf)).toContain(3000);
  expect(orderOf(space)).toEqual([0, 1, 2]);
});

test('large events are planned a few at a time', async () => {
  const [free, next] = [uuidv7(), uuidv7()];
  const filler = 'x'.repeat(1024 * 1024);
  await emit(free, times(20, { rows: 1, filler }));
  await emit(next, times(1, { rows: 1 }));
  await relay.relayBatch();
  expect(orderOf(next)).toEqual([0]);
  await relayAll();
  const bytes = batches.map((batch) => JSON.stringify(batch.map(({ payload }) => payload)).length);
  expect(Math.max(...bytes)).toBeLessThan(PLANNING_BUDGET.bytes * 1.01);
  expect(orderOf(free)).toEqual(upTo(20));
});

test('an event of a noisy space that can’t be planned is rejected, and the others are planned', async () => {
  const space = uuidv7();
  await emit(space, [...times(30, { rows: 100 }), { rows: 100, bad: true }, ...times(29, { rows: 100 })]);
  await relayAll();
  expect(orderOf(space)).toEqual(upTo(60).filter((n) => n !== 30));
  expect(await db.query('SELECT 1 FROM outbox_rejected')).toHaveLength(1);
});
