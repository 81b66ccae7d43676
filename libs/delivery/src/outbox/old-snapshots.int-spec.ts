import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendOutbox } from './outbox-event.js';
import { TAKE_EVENTS } from './outbox.statements.js';
import { OutboxRelay } from './outbox-relay.js';
import { RelayLeadership } from './relay-leadership.js';

const SPACE = uuidv7();
let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

/** A relay that the test runs step by step. `told` collects the number of events per batch. */
function relay(told: string[] = []): OutboxRelay {
  const stepped = new OutboxRelay(db, new RelayLeadership(database.url));
  stepped.subscribe({
    name: 'test',
    plan: async () => undefined,
    committed: (records) => told.push(...records.map(({ eventId }) => eventId)),
  });
  return stepped;
}

async function emit(count = 1): Promise<string[]> {
  const events = Array.from({ length: count }, () => ({
    eventId: uuidv7(),
    spaceId: SPACE,
    type: 'FACT',
    payload: {},
  }));
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
  return events.map(({ eventId }) => eventId);
}

/** Returns the number of pages read to find the next events after an id. */
async function pagesRead(behind: number): Promise<number> {
  const client = await db.pool.connect();
  try {
    await client.query(`BEGIN; PREPARE take AS ${TAKE_EVENTS.preparedText}`);
    const explain = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE take (500, ${behind}, '{}', '5000', 1, '${uuidv7()}')`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(explain);
    const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  } finally {
    await client.query('ROLLBACK; DEALLOCATE take');
    client.release();
  }
}

test('during a long dump the relay does not read rows deleted since it started', async () => {
  const dump = await db.pool.connect();
  try {
    await dump.query(
      'BEGIN ISOLATION LEVEL REPEATABLE READ; SET idle_in_transaction_session_timeout = 0; SELECT 1',
    );
    const stepped = relay();
    for (let n = 0; n < 40; n += 1) {
      await emit(500);
      expect(await stepped.relayBatch()).toBe(500);
    }
    const { lowWater } = stepped as unknown as { lowWater: { from(now: number): number } };
    // Transaction ids are shared by the whole server. One that writes in another database keeps the
    // mark down until it ends.
    while (lowWater.from(performance.now()) <= 18_000) {
      await emit();
      expect(await stepped.relayBatch()).toBe(1);
    }
    const mark = lowWater.from(performance.now());
    await emit(3);
    const everything = await pagesRead(0);
    expect(everything).toBeGreaterThan(200);
    expect(await pagesRead(mark)).toBeLessThan(everything / 4);
    expect(await stepped.relayBatch()).toBe(3);
  } finally {
    await dump.query('ROLLBACK');
    dump.release();
  }
});

test('an event whose transaction commits long after later ones is still planned', async () => {
  const told: string[] = [];
  const stepped = relay(told);
  await emit();
  await stepped.relayBatch();
  const slow = uuidv7();
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let appended: () => void = () => undefined;
  const inTime = new Promise<void>((resolve) => (appended = resolve));
  const slowly = runInWorkerTx(db, async (tx) => {
    await appendOutbox(tx, { eventId: slow, spaceId: SPACE, type: 'FACT', payload: {} });
    appended();
    await finished;
  });
  await inTime;
  for (let n = 0; n < 20; n += 1) {
    await emit();
    await stepped.relayBatch();
  }
  expect(told).not.toContain(slow);
  finish();
  await slowly;
  expect(await stepped.relayBatch()).toBe(1);
  expect(told).toContain(slow);
  for (let n = 0; n < 4; n += 1) {
    await emit();
    expect(await stepped.relayBatch()).toBe(1);
  }
});

test('a new leader starts without a mark and finds all events', async () => {
  const first = relay();
  for (let n = 0; n < 5; n += 1) {
    await emit();
    await first.relayBatch();
  }
  const [event] = await emit();
  const told: string[] = [];
  await relay(told).relayBatch();
  expect(told).toEqual([event]);
});
