import { uuidv7 } from 'uuidv7';
import { ADVISORY_LOCKS } from '@tieline/background';
import { DueChecks, openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendOutbox } from './outbox-event.js';
import type { OutboxRecord } from './outbox-event.js';
import { OutboxRelay } from './outbox-relay.js';
import type { OutboxSubscriber } from './outbox-subscriber.js';
import { lockPlanning } from './planning/take-events.js';
import { RelayLeadership } from './relay-leadership.js';

const SPACE = uuidv7();
let database: TestDatabase;
let db: Db;
let checks: DueChecks;
const relays: OutboxRelay[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  checks = new DueChecks(db);
  // Rows that a subscriber plans. The primary key detects an event that is planned twice.
  await db.query(
    'CREATE TABLE planned (n bigint GENERATED ALWAYS AS IDENTITY, event_id uuid PRIMARY KEY, source int, seq int, relay text)',
  );
  await db.query('CREATE TABLE sources (source int PRIMARY KEY, seq int NOT NULL DEFAULT 0)');
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await db.query('TRUNCATE planned, sources, outbox');
});
afterAll(async () => {
  await checks?.beforeApplicationShutdown();
  await db?.close();
  await database?.drop();
});

interface Fact {
  source: number;
  seq: number;
}

const planInto =
  (name: string) =>
  async (tx: Tx, records: OutboxRecord[]): Promise<void> => {
    for (const { eventId, payload } of records) {
      const { source, seq } = payload as Fact;
      await tx.query('INSERT INTO planned (event_id, source, seq, relay) VALUES ($1, $2, $3, $4)', [
        eventId,
        source,
        seq,
        name,
      ]);
    }
  };

function makeRelay(name: string, plan = planInto(name), more: Partial<OutboxSubscriber> = {}): OutboxRelay {
  const relay = new OutboxRelay(db, new RelayLeadership(database.url));
  relay.subscribe({ name, plan, ...more });
  relay.checkWith(checks);
  relays.push(relay);
  return relay;
}

/**
 * Runs a transaction like the product's: locks its source's row, takes the next number, appends the
 * event.
 */
async function emit(source: number, relay?: OutboxRelay): Promise<void> {
  await runInWorkerTx(db, async (tx) => {
    const [row] = await readRows<{ seq: number }>(
      tx,
      'INSERT INTO sources (source, seq) VALUES ($1, 1) ON CONFLICT (source) DO UPDATE SET seq = sources.seq + 1 RETURNING seq',
      [source],
    );
    await appendOutbox(tx, {
      eventId: uuidv7(),
      spaceId: SPACE,
      type: 'FACT',
      payload: { source, seq: row?.seq },
    });
  });
  relay?.wake();
}

const planned = (): Promise<{ source: number; seq: number; relay: string }[]> =>
  readRows(db, 'SELECT source, seq, relay FROM planned ORDER BY n');

test('with 12 writers, no event is lost, planned twice or reordered within its source', async () => {
  const relay = makeRelay('only');
  relay.start();
  await Promise.all(
    Array.from({ length: 12 }, async (_, writer) => {
      for (let i = 0; i < 100; i += 1) await emit((writer + i) % 5, relay);
    }),
  );
  await eventually(async () => expect(await planned()).toHaveLength(1200), { timeoutMs: 60_000 });
  const rows = await planned();
  for (let source = 0; source < 5; source += 1) {
    const seqs = rows.filter((row) => row.source === source).map((row) => row.seq);
    expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, i) => i + 1));
  }
  expect(await db.query('SELECT 1 FROM outbox')).toEqual([]);
});

test('a payload is read once, and every subscriber receives what was read', async () => {
  const read = ({ payload }: OutboxRecord): unknown => {
    reads += 1;
    return { ...(payload as Fact), seq: 7 };
  };
  let reads = 0;
  const received: OutboxRecord[] = [];
  const plan = async (_tx: Tx, records: OutboxRecord[]): Promise<void> => void received.push(...records);
  const relay = new OutboxRelay(db, new RelayLeadership(database.url), {}, { read });
  for (const name of ['first', 'second']) relay.subscribe({ name, plan });
  await emit(1);
  await relay.relayBatch();
  expect(reads).toBe(1);
  expect(received.map(({ payload }) => payload)).toEqual(Array(2).fill({ source: 1, seq: 7 }));
  await relay.stop();
});

test('a rolled back transaction leaves no event', async () => {
  await expect(
    runInWorkerTx(db, async (tx) => {
      await appendOutbox(tx, { eventId: uuidv7(), spaceId: SPACE, type: 'FACT', payload: {} });
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await db.query('SELECT 1 FROM outbox')).toEqual([]);
});

test('one relay leads; when its connection dies the standby takes over', async () => {
  const first = makeRelay('first');
  first.start();
  await eventually(() => expect(first.leading).toBe(true));
  const second = makeRelay('second');
  second.start();
  await emit(1);
  await eventually(async () => expect(await planned()).toHaveLength(1));
  expect(second.leading).toBe(false);
  await first.stop();
  await eventually(() => expect(second.leading).toBe(true));
  await emit(1);
  await eventually(async () =>
    expect((await planned()).map((row) => row.relay)).toEqual(['first', 'second']),
  );
});

test('a standby takes over within 2 seconds', async () => {
  let leader = makeRelay('0');
  leader.start();
  await eventually(() => expect(leader.leading).toBe(true));
  let shortestMs = Infinity;
  // A busy machine delays some of them. With a longer interval, not even the quickest is in time.
  for (let n = 1; n <= 10 && shortestMs >= 2000; n += 1) {
    const standby = makeRelay(`${n}`);
    standby.start();
    await eventually(async () =>
      expect(
        await db.query(
          "SELECT 1 FROM pg_stat_activity WHERE application_name = 'tieline-relay' AND datname = current_database()",
        ),
      ).toHaveLength(2),
    );
    await leader.stop();
    const died = performance.now();
    await eventually(() => expect(standby.leading).toBe(true));
    shortestMs = Math.min(shortestMs, performance.now() - died);
    leader = standby;
  }
  expect(shortestMs).toBeLessThan(2000);
});

test('a leader whose connection is terminated by the server stops leading, and another leader is elected', async () => {
  const relay = makeRelay('only');
  relay.start();
  await eventually(() => expect(relay.leading).toBe(true));
  // A session that waits for the lock gets it when the leader's session ends, so the relay can't
  // win it back immediately.
  const rival = await db.pool.connect();
  try {
    const waiting = rival.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.relayLeader]);
    const waiters =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
    await eventually(async () => expect(await db.query(waiters)).toHaveLength(1));
    await db.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tieline-relay' AND datname = current_database()",
    );
    await waiting;
    await eventually(() => expect(relay.leading).toBe(false));
    await rival.query('SELECT pg_advisory_unlock($1)', [ADVISORY_LOCKS.relayLeader]);
  } finally {
    rival.release();
  }
  await eventually(() => expect(relay.leading).toBe(true));
});

test('when a leader goes silent while planning, the server ends its session, and another plans, nothing twice', async () => {
  let goOn = (): void => undefined;
  const silence = new Promise<void>((resolve) => (goOn = resolve));
  let isSilent = false;
  const frozen = makeRelay('frozen', async (tx, records) => {
    isSilent = true;
    await silence;
    await planInto('frozen')(tx, records);
  });
  const next = makeRelay('next');
  await emit(1);
  const thawed = frozen.relayBatch().catch((error: unknown) => error);
  try {
    await eventually(() => expect(isSilent).toBe(true));
    // Waits for the lock of the silent transaction, which ends after five seconds.
    await next.relayBatch();
  } finally {
    goOn();
  }
  expect(await thawed).toBeInstanceOf(Error);
  expect((await planned()).map(({ relay }) => relay)).toEqual(['next']);
});

test('a silent transaction blocks planning for at most five seconds', async () => {
  const limit = await runInWorkerTx(db, async (tx) => {
    await lockPlanning(tx);
    return tx.query('SHOW idle_in_transaction_session_timeout');
  });
  expect(limit).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
});

test('an event that can’t be planned is rejected with its reason, and the others are planned', async () => {
  const plan = async (tx: Tx, records: OutboxRecord[]): Promise<void> => {
    if (records.some(({ payload }) => (payload as Fact).source === 13)) throw new Error('cannot plan this');
    await planInto('only')(tx, records);
  };
  const relay = makeRelay('only', plan);
  for (const source of [1, 13, 2, 3]) await emit(source);
  relay.start();
  await eventually(async () => expect((await planned()).map((row) => row.source)).toEqual([1, 2, 3]));
  // It is rejected after the others were planned, in a separate transaction.
  await eventually(async () =>
    expect(await db.query('SELECT type, error FROM outbox_rejected')).toEqual([
      { type: 'FACT', error: 'cannot plan this' },
    ]),
  );
});

test('a subscriber is reset when another relay has worked in between, and forgets a batch that was rolled back', async () => {
  let resets = 0;
  let rollbacks = 0;
  let fail = false;
  const plan = async (tx: Tx, records: OutboxRecord[]): Promise<void> => {
    if (fail) throw Object.assign(new Error('once'), { code: 'EAI_AGAIN' });
    await planInto('a')(tx, records);
  };
  const a = makeRelay('a', plan, {
    reset: () => (resets += 1),
    rolledBack: () => (rollbacks += 1),
  });
  const b = makeRelay('b');
  await emit(1);
  await a.relayBatch();
  expect(resets).toBe(1);
  await emit(1);
  await a.relayBatch();
  expect(resets).toBe(1);
  await emit(1);
  await b.relayBatch();
  await emit(1);
  await a.relayBatch();
  expect(resets).toBe(2);
  fail = true;
  await emit(1);
  await expect(a.relayBatch()).rejects.toThrow('once');
  expect([resets, rollbacks]).toEqual([2, 1]);
});

test('events without a wake-up are found by a check', async () => {
  const told: number[] = [];
  const relay = makeRelay('only', undefined, {
    committed: (records) => told.push(...records.map(({ payload }) => (payload as Fact).seq)),
  });
  relay.start();
  await eventually(() => expect(relay.leading).toBe(true));
  for (const seq of [1, 2, 3]) {
    await emit(7);
    await eventually(() => expect(told).toContain(seq));
  }
});

test('a wake-up costs one transaction, and one more for each batch that was full', async () => {
  const own = await openDb({ databaseUrl: database.url });
  let transactions = 0;
  own.pool.on('acquire', () => (transactions += 1));
  const relay = new OutboxRelay(own, new RelayLeadership(database.url));
  let told = 0;
  relay.subscribe({
    name: 'counter',
    plan: async () => undefined,
    committed: (records) => (told += records.length),
  });
  relays.push(relay);
  relay.start();
  await eventually(() => expect(relay.leading).toBe(true));
  await emit(1, relay);
  await eventually(() => expect(told).toBe(1));
  const begun = performance.now();
  transactions = 0;
  for (let n = 2; n <= 21; n += 1) {
    await emit(1, relay);
    await eventually(() => expect(told).toBe(n));
  }
  const ticks = Math.ceil((performance.now() - begun) / 1000) + 1;
  expect(transactions).toBeLessThanOrEqual(20 + ticks);

  const events = Array.from({ length: 1100 }, (_, seq) => ({ source: 2, seq })).map((payload) => ({
    ...{ eventId: uuidv7(), spaceId: SPACE, type: 'FACT' },
    payload,
  }));
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
  // Nothing wakes it between its batches.
  relay.wake();
  await eventually(() => expect(told).toBe(1121));
  await relay.stop();
  await own.close();
});

test('`committed` is called after the commit, in order', async () => {
  const told: number[] = [];
  const relay = makeRelay('only', undefined, {
    committed: (records) => told.push(...records.map(({ payload }) => (payload as Fact).seq)),
  });
  for (let i = 0; i < 5; i += 1) await emit(1);
  await relay.relayBatch();
  expect(told).toEqual([1, 2, 3, 4, 5]);
  expect(await planned()).toHaveLength(5);
});

test('a drained relay has told its subscribers of everything that left the outbox', async () => {
  const told: number[] = [];
  let begun = false;
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const relay = makeRelay(
    'only',
    () => {
      begun = true;
      return held;
    },
    { committed: (records) => told.push(...records.map(({ payload }) => (payload as Fact).seq)) },
  );
  relay.start();
  await eventually(() => expect(relay.leading).toBe(true));
  await emit(1, relay);
  await eventually(() => begun);
  const drained = relay.drain();
  goOn();
  await drained;
  expect(told).toEqual([1]);
});
