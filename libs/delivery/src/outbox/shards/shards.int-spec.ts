import { v7 as uuidv7 } from 'uuid';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows, startTcpProxy } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendOutbox, OUTBOX } from '../outbox-event.js';
import type { OutboxRecord } from '../outbox-event.js';
import { OutboxRelay } from '../outbox-relay.js';
import type { OutboxSubscriber } from '../outbox-subscriber.js';
import { RelayLeadership } from './relay-leadership.js';
import { OutboxShard, WHOLE_OUTBOX } from './outbox-part.js';
import { OutboxRelays } from './outbox-relays.js';
import { PlanningLimit } from './planning-limit.js';
import { slotOf } from './shard.js';
import type { Shard } from './shard.js';

let database: TestDatabase;
let db: Db;
/** Cleanups after each test, in reverse order. */
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 30 });
  // Rows that a subscriber plans. The primary key detects an event that is planned twice.
  await db.query(
    'CREATE TABLE planned (n bigint GENERATED ALWAYS AS IDENTITY, event_id uuid PRIMARY KEY, space_id uuid, source int, seq int, planner text)',
  );
  await db.query(
    'CREATE TABLE sources (space_id uuid, source int, seq int NOT NULL, PRIMARY KEY (space_id, source))',
  );
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await db.query('TRUNCATE planned, sources, outbox');
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** Returns the id of a space in one of the 16 slots. */
const spaceIn = (slot: number): string => `${uuidv7().slice(0, 35)}${slot.toString(16)}`;
const EVERYWHERE = Array.from({ length: 16 }, (_, slot) => spaceIn(slot));

interface Fact {
  source: number;
  seq: number;
}

const planInto =
  (planner: string) =>
  async (tx: Tx, records: OutboxRecord[]): Promise<void> => {
    const facts = records.map(({ payload }) => payload as Fact);
    await tx.query(
      `INSERT INTO planned (event_id, space_id, source, seq, planner)
         SELECT event_id, space_id, source, seq, $5 FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::int[]) WITH ORDINALITY AS e(event_id, space_id, source, seq, n) ORDER BY n`,
      [
        ...[records.map(({ eventId }) => eventId), records.map(({ spaceId }) => spaceId)],
        ...[facts.map(({ source }) => source), facts.map(({ seq }) => seq), planner],
      ],
    );
  };

type Plan = OutboxSubscriber['plan'];

/** The relays of one worker. Planned rows name the shard. */
function worker(
  name: string,
  shards: number,
  { on = db, url = database.url, plan = (_: Shard, then: Plan): Plan => then } = {},
): OutboxRelays {
  const relays = new OutboxRelays(on, { databaseUrl: url, shards, maxConcurrent: 8 });
  relays.subscribe((shard) => ({
    name,
    plan: plan(shard, planInto(`${name} ${shard.number}/${shard.count}`)),
  }));
  relays.start();
  const end = db.onSignal(OUTBOX, (spaces) => relays.wake(spaces.map(slotOf)));
  closing.push(async () => {
    end();
    await relays.stop();
  });
  return relays;
}

/**
 * Runs a transaction like the product's: locks its source's row, takes the next number, appends the
 * event.
 */
async function emit(spaceId: string, source = 0): Promise<void> {
  await runInWorkerTx(db, async (tx) => {
    const [row] = await readRows<{ seq: number }>(
      tx,
      'INSERT INTO sources VALUES ($1, $2, 1) ON CONFLICT (space_id, source) DO UPDATE SET seq = sources.seq + 1 RETURNING seq',
      [spaceId, source],
    );
    const payload = { source, seq: row?.seq };
    await appendOutbox(tx, { eventId: uuidv7(), spaceId, type: 'FACT', payload });
  });
}

interface Planned {
  space_id: string;
  source: number;
  seq: number;
  planner: string;
}

const planned = (): Promise<Planned[]> => readRows(db, 'SELECT * FROM planned ORDER BY n');
const planners = async (): Promise<string[]> =>
  [...new Set((await planned()).map(({ planner }) => planner))].sort();

/**
 * Expects that every event was planned once (the key prevents twice), and those of each source in
 * order.
 */
async function expectAll(count: number): Promise<void> {
  await eventually(async () => expect(await planned()).toHaveLength(count), { timeoutMs: 20_000 });
  const seqs = new Map<string, number[]>();
  for (const { space_id: space, source, seq } of await planned()) {
    const key = `${space}/${source}`;
    seqs.set(key, [...(seqs.get(key) ?? []), seq]);
  }
  for (const line of seqs.values()) expect(line).toEqual(Array.from(line, (_, n) => n + 1));
  expect(await db.query('SELECT 1 FROM outbox')).toEqual([]);
}

/**
 * Runs twelve writers to all slots until told to stop.
 * @returns the number of events
 */
async function write(until: () => boolean): Promise<number> {
  const counts = Array.from({ length: 12 }, async (_, writer) => {
    let n = 0;
    for (; !until(); n += 1) await emit(EVERYWHERE[(writer + n) % 16] as string, n % 2);
    return n;
  });
  return (await Promise.all(counts)).reduce((sum, n) => sum + n, 0);
}

const shardsOf = (workers: OutboxRelays[]): number[] => workers.flatMap(({ leading }) => leading).sort();
const sizesOf = (workers: OutboxRelays[]): number[] => workers.map(({ leading }) => leading.length).sort();

test('two workers plan half of the spaces each, in order', async () => {
  const workers = [worker('a', 2), worker('b', 2)];
  await eventually(() => expect(sizesOf(workers)).toEqual([1, 1]), { timeoutMs: 5000 });
  expect(shardsOf(workers)).toEqual([0, 1]);
  let written = 0;
  const count = await write(() => (written += 1) > 600);
  await expectAll(count);
  const halves = new Map<string, Set<string>>();
  for (const { planner, space_id: space } of await planned())
    halves.set(planner, (halves.get(planner) ?? new Set()).add(space));
  expect([...halves.values()].map(({ size }) => size)).toEqual([8, 8]);
  for (const [planner, spaces] of halves)
    for (const space of spaces)
      expect(planner.slice(2)).toBe(Number.parseInt(space.slice(-1), 16) < 8 ? '0/2' : '1/2');
});

test('shards are distributed evenly when workers come and go, each with exactly one leader', async () => {
  const workers = [worker('a', 4)];
  await eventually(() => expect(sizesOf(workers)).toEqual([4]));
  workers.push(worker('b', 4), worker('c', 4));
  await eventually(() => expect(sizesOf(workers)).toEqual([1, 1, 2]), { timeoutMs: 10_000 });
  expect(shardsOf(workers)).toEqual([0, 1, 2, 3]);
  await workers.shift()?.stop();
  await eventually(() => expect(sizesOf(workers)).toEqual([2, 2]), { timeoutMs: 5000 });
  expect(shardsOf(workers)).toEqual([0, 1, 2, 3]);
  expect(workers.map(({ slots }) => slots)).toEqual([8, 8]);
});

test('when the number of shards changes under load, no event is lost, planned twice or reordered', async () => {
  let isOver = false;
  const counting = write(() => isOver);
  let before = worker('of 1', 1);
  for (const shards of [2, 4, 16, 2, 1]) {
    // Both run for a while, as in a rolling restart.
    const [name, seen] = [`of ${shards}`, (await planned()).length];
    const after = worker(name, shards);
    await eventually(async () => expect((await planned()).length).toBeGreaterThan(seen + 20));
    await before.stop();
    await eventually(() => expect(after.slots).toBe(16), { timeoutMs: 5000 });
    await eventually(async () => expect((await planners()).join()).toContain(`${name} `));
    before = after;
  }
  isOver = true;
  await expectAll(await counting);
});

/** A relay that the test runs step by step. It always considers itself the leader. */
function stepped(
  shard: Shard | undefined,
  plan: Plan = planInto('stepped'),
): { relay: OutboxRelay; resets: () => number } {
  let resets = 0;
  const part = shard ? new OutboxShard(shard, new PlanningLimit(1)) : WHOLE_OUTBOX;
  const relay = new OutboxRelay(db, new RelayLeadership(database.url), {}, part);
  relay.subscribe({ name: 'stepped', plan, reset: () => (resets += 1) });
  return { relay, resets: () => resets };
}

test('relays that all consider themselves leaders, with different numbers of shards, plan no event twice or out of order', async () => {
  const shards = [
    undefined,
    ...[2, 4, 16].flatMap((count) => [0, count - 1].map((number) => ({ count, number }))),
  ];
  const relays = [...shards, ...shards].map((shard) => stepped(shard).relay);
  let isOver = false;
  const relaying = relays.map(async (relay) => {
    while (!isOver) await relay.relayBatch();
  });
  let written = 0;
  const count = await write(() => (written += 1) > 800);
  await expectAll(count);
  isOver = true;
  await Promise.all(relaying);
});

test('a backlog of several batches with a noisy space is planned in order, without events of other shards', async () => {
  const [flooding, other, foreign] = [spaceIn(1), spaceIn(6), spaceIn(8)];
  const events = Array.from({ length: 2000 }, (_, n) => {
    const spaceId = n % 10 === 0 ? other : n % 10 === 1 ? foreign : flooding;
    return { eventId: uuidv7(), spaceId, type: 'FACT', payload: { source: 0, seq: n } };
  });
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
  const { relay } = stepped({ count: 2, number: 0 });
  while ((await relay.relayBatch()) > 0);
  for (const space of [flooding, other])
    expect((await planned()).flatMap((one) => (one.space_id === space ? one.seq : []))).toEqual(
      events.flatMap(({ spaceId, payload }) => (spaceId === space ? payload.seq : [])),
    );
  expect(await db.query('SELECT 1 FROM outbox')).toHaveLength(200);
});

const of = (count: number, number: number): Shard => ({ count, number });
const overlapping: [string, Shard | undefined, Shard | undefined, string[]][] = [
  ['a shard and a part of it', of(2, 0), of(4, 1), ['advisory']],
  ['a shard and a larger one that contains it', of(4, 1), of(2, 0), ['advisory']],
  ['the whole and a shard', undefined, of(16, 15), ['advisory']],
  ['a shard and the whole', of(16, 15), undefined, ['advisory']],
  ['two shards without overlap', of(2, 0), of(4, 3), []],
];
test.each(overlapping)('two concurrent transactions of %s', async (_, first, second, waits) => {
  // The first batch after an unsharded relay records this for all slots.
  if (first) await stepped(first).relay.relayBatch();
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = false;
  const hanging = stepped(first, async () => {
    begun = true;
    await released;
  });
  // An event of a space outside the second relay's shard.
  await emit(spaceIn(first?.count === 2 ? 0 : first?.count === 4 ? 4 : first ? 15 : 0));
  closing.push(release);
  const one = hanging.relay.relayBatch();
  await eventually(() => expect(begun).toBe(true));
  let isOver = false;
  const other = stepped(second)
    .relay.relayBatch()
    .finally(() => (isOver = true));
  const waiting =
    'SELECT locktype FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())';
  await eventually(async () => {
    const types = (await readRows<{ locktype: string }>(db, waiting)).map(({ locktype }) => locktype);
    expect(isOver ? [] : types).toEqual(waits);
    expect(isOver).toBe(waits.length === 0);
  });
  release();
  expect([await one, await other]).toEqual([1, 0]);
});

describe('a relay that plans after another one drops its caches', () => {
  const half = { count: 2, number: 0 };
  const others: [string, Shard | undefined][] = [
    ['the same shard', half],
    ['the whole', undefined],
    ['a part of it', { count: 4, number: 1 }],
  ];
  test.each(others)('%s', async (_, other) => {
    const [first, second] = [stepped(half), stepped(other)];
    for (const expected of [1, 1]) {
      await first.relay.relayBatch();
      expect(first.resets()).toBe(expected);
    }
    for (const round of [1, 2]) {
      await second.relay.relayBatch();
      expect(second.resets()).toBeGreaterThanOrEqual(round);
      const before = first.resets();
      await first.relay.relayBatch();
      expect(first.resets()).toBeGreaterThan(before);
    }
  });

  test('but not after a relay of other spaces', async () => {
    const [first, second] = [stepped(half), stepped({ count: 2, number: 1 })];
    for (let round = 0; round < 3; round += 1)
      for (const { relay } of [first, second]) await relay.relayBatch();
    const before = [first.resets(), second.resets()];
    for (let round = 0; round < 3; round += 1)
      for (const { relay } of [first, second]) await relay.relayBatch();
    expect([first.resets(), second.resets()]).toEqual(before);
  });
});

test('a commit wakes the shard of its space, and no other', async () => {
  const own = await openDb({ databaseUrl: database.url });
  closing.push(() => own.close());
  let transactions = 0;
  own.pool.on('acquire', () => (transactions += 1));
  const relays = worker('only', 2, { on: own });
  await eventually(() => expect(relays.leading).toHaveLength(2));
  await emit(spaceIn(9));
  await expectAll(1);
  const begun = performance.now();
  transactions = 0;
  for (let n = 2; n <= 21; n += 1) {
    await emit(spaceIn(9));
    await eventually(async () => expect(await planned()).toHaveLength(n), { everyMs: 5 });
  }
  const tookMs = performance.now() - begun;
  // Without wake-ups each would wait for the next poll.
  expect(tookMs).toBeLessThan(10_000);
  expect(transactions).toBeLessThanOrEqual(20 + 2 * Math.ceil(tookMs / 1000 + 1));
});

test('hanging transactions of one shard do not delay other shards, even in the same worker', async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = false;
  const relays = worker('only', 2, {
    plan:
      ({ number }, then) =>
      async (tx, records) => {
        if (number === 0) {
          begun = true;
          await released;
        }
        await then(tx, records);
      },
  });
  closing.push(release);
  await eventually(() => expect(relays.leading).toHaveLength(2));
  await emit(spaceIn(1));
  await eventually(() => expect(begun).toBe(true));
  for (let n = 0; n < 5; n += 1) {
    await emit(spaceIn(9));
    await eventually(async () => expect(await planned()).toHaveLength(n + 1), { timeoutMs: 1000 });
  }
  expect(await planners()).toEqual(['only 1/2']);
  release();
  await expectAll(6);
});

test('when a leader is disconnected during a batch, the other shard continues, and its own is taken over within 10 seconds', async () => {
  const proxy = await startTcpProxy(database.url);
  const cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
  closing.push(
    () => proxy.close(),
    () => cut.close(),
  );
  let isCut = false;
  let hangs = false;
  const hanging: Plan = async (tx, records) => {
    // From now on no open connection gets through, including that of this batch's transaction.
    if (isCut && !hangs) {
      hangs = true;
      proxy.swallow();
    }
    await planInto('cut')(tx, records);
  };
  const lost = worker('cut', 2, { on: cut, url: proxy.url, plan: () => hanging });
  const other = worker('other', 2);
  await eventually(() => expect([lost.leading.length, other.leading.length]).toEqual([1, 1]), {
    timeoutMs: 5000,
  });
  const [ours, theirs] = lost.leading[0] === 0 ? [1, 9] : [9, 1];
  isCut = true;
  await emit(spaceIn(ours));
  await eventually(() => expect(hangs).toBe(true));
  const begun = Date.now();
  for (let n = 0; n < 3; n += 1) {
    await emit(spaceIn(theirs));
    await eventually(
      async () =>
        expect((await planned()).filter(({ planner }) => planner.startsWith('other'))).toHaveLength(n + 1),
      { timeoutMs: 1000 },
    );
  }
  expect(other.leading).toHaveLength(1);
  await eventually(async () => expect(await planned()).toHaveLength(4), { timeoutMs: 10_000 });
  expect(Date.now() - begun).toBeLessThan(10_000);
});
