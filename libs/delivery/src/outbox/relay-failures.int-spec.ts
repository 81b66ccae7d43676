import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import { createTestDatabase, eventually, startTcpProxy, readRows, slackMs } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendOutbox } from './outbox-event.js';
import type { OutboxRecord } from './outbox-event.js';
import { OutboxRelay } from './outbox-relay.js';
import type { OutboxSubscriber } from './outbox-subscriber.js';
import { RelayLeadership } from './relay-leadership.js';

let database: TestDatabase;
let db: Db;
const relays: OutboxRelay[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query('CREATE TABLE planned (n bigint GENERATED ALWAYS AS IDENTITY, event_id uuid PRIMARY KEY)');
});
afterEach(async () => {
  for (const relay of relays.splice(0)) await relay.stop();
  await db.query('TRUNCATE planned, outbox, outbox_rejected');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface Fact {
  /** The fault that planning this event runs into. */
  fault?: string;
}

type Plan = OutboxSubscriber['plan'];

async function write(tx: Tx, records: OutboxRecord[]): Promise<void> {
  const ids = records.map(({ eventId }) => eventId);
  await tx.query('INSERT INTO planned (event_id) SELECT * FROM unnest($1::uuid[])', [ids]);
}

/** Plans all events without one of the given faults. */
const planBut =
  (faults: Record<string, (tx: Tx) => unknown>): Plan =>
  async (tx, records) => {
    for (const { payload } of records) await faults[(payload as Fact).fault ?? '']?.(tx);
    await write(tx, records);
  };

/** Counts events of the relay. */
interface Watched {
  relay: OutboxRelay;
  leadership: RelayLeadership;
  failures: unknown[];
  rejected: { eventId: string; spaceId: string }[];
  resets: number;
  batches: OutboxRecord[][];
  /** The number of held spaces after each change. */
  held: number[];
}

function watch(plan: Plan, on = db, blocked?: (is: boolean) => unknown): Watched {
  const watched: Omit<Watched, 'relay' | 'leadership'> = {
    failures: [],
    rejected: [],
    resets: 0,
    batches: [],
    held: [],
  };
  const leadership = new RelayLeadership(database.url);
  const relay = new OutboxRelay(on, leadership, {
    failed: (error) => watched.failures.push(error),
    rejected: (event) => watched.rejected.push(event),
    blocked: (is) => void blocked?.(is),
    held: (spaces) => watched.held.push(spaces),
  });
  const committed = (records: OutboxRecord[]): void => void watched.batches.push(records);
  relay.subscribe({ name: 'test', plan, committed, reset: () => (watched.resets += 1) });
  relays.push(relay);
  return Object.assign(watched, { relay, leadership });
}

async function emit(spaceId: string, payload: Fact = {}): Promise<string> {
  const eventId = uuidv7();
  await runInWorkerTx(db, (tx) => appendOutbox(tx, { eventId, spaceId, type: 'FACT', payload }));
  return eventId;
}

const planned = async (): Promise<string[]> =>
  (await readRows<{ event_id: string }>(db, 'SELECT event_id FROM planned ORDER BY n')).map(
    (row) => row.event_id,
  );
const outbox = (): Promise<unknown[]> => db.query('SELECT id FROM outbox');
const rejected = (): Promise<unknown[]> =>
  db.query('SELECT event_id, space_id, type, error FROM outbox_rejected ORDER BY id');

/** Lets the relay plan once, so that it resets its subscribers only when something happens. */
async function warm(watched: Watched): Promise<void> {
  await emit(uuidv7());
  await watched.relay.relayBatch();
  Object.assign(watched, { resets: 0, batches: [] });
  await db.query('TRUNCATE planned');
}

describe('events are not rejected because of', () => {
  const coded = (code: string): Error => Object.assign(new Error(`failed with ${code}`), { code });
  const passing: [string, (tx: Tx) => unknown][] = [
    ['a name that cannot be looked up', () => Promise.reject(coded('EAI_AGAIN'))],
    ['a connection that breaks', () => Promise.reject(coded('EPIPE'))],
    [
      'a session that is ended',
      async (tx) => {
        const [own] = await readRows<{ pid: number }>(tx, 'SELECT pg_backend_pid() AS pid');
        await db.query('SELECT pg_terminate_backend($1, 5000)', [own?.pid]);
        await tx.query('SELECT 1');
      },
    ],
    [
      'a pool without a free connection',
      (tx) => {
        (
          tx as unknown as { client: { connection: { stream: { destroy(): void } } } }
        ).client.connection.stream.destroy();
        throw new Error('timeout exceeded when trying to connect');
      },
    ],
    [
      'a statement that is cancelled',
      (tx) => tx.query(`SET LOCAL statement_timeout = 20; SELECT pg_sleep(5)`),
    ],
    ['a server without memory', (tx) => tx.query(`DO $$ BEGIN RAISE SQLSTATE '53200'; END $$`)],
  ];
  test.each(passing)('%s, however often', async (_name, fault) => {
    let left = 8;
    const watched = watch(planBut({ once: async (tx) => void (left-- > 0 && (await fault(tx))) }));
    const ids = [await emit(uuidv7()), await emit(uuidv7(), { fault: 'once' }), await emit(uuidv7())];
    watched.relay.start();
    await eventually(async () => expect(await planned()).toEqual(ids), { timeoutMs: 60_000 });
    expect(await rejected()).toEqual([]);
    expect(watched.failures).toHaveLength(8);
  });
});

test.each([
  ['a throw', 'bad content', () => Promise.reject(new Error('bad content'))],
  [
    'a throw with a code of Node',
    'bad url',
    () => Promise.reject(Object.assign(new Error('bad url'), { code: 'ERR_INVALID_URL' })),
  ],
  ['class 22', 'division by zero', (tx: Tx) => tx.query('SELECT 1/0')],
  [
    'class 23',
    expect.stringContaining('null value'),
    (tx: Tx) => tx.query('INSERT INTO planned (event_id) VALUES (NULL)'),
  ],
  ['class 42', expect.stringContaining('does not exist'), (tx: Tx) => tx.query('SELECT nothing_like_it()')],
])('the event that failed is rejected, not the oldest: %s', async (_name, error, fault) => {
  const watched = watch(planBut({ bad: fault }));
  const space = uuidv7();
  const ids = [await emit(space), await emit(space), await emit(space, { fault: 'bad' }), await emit(space)];
  await watched.relay.relayBatch();
  expect(await rejected()).toEqual([{ event_id: ids[2], space_id: space, type: 'FACT', error }]);
  expect(watched.rejected).toMatchObject([{ eventId: ids[2], spaceId: space }]);
  expect(await planned()).toEqual([ids[0], ids[1], ids[3]]);
});

test('a payload that is not JSON is rejected, too', async () => {
  const watched = watch(write);
  const ids = [await emit(uuidv7()), await emit(uuidv7()), await emit(uuidv7())];
  await db.query(`UPDATE outbox SET payload = '{"cut' WHERE event_id = $1`, [ids[1]]);
  await watched.relay.relayBatch();
  expect(await rejected()).toMatchObject([{ event_id: ids[1] }]);
  expect(await planned()).toEqual([ids[0], ids[2]]);
});

test('faulty events delay no others: one pass plans all others, other spaces first, each in its order', async () => {
  const watched = watch(planBut({ bad: () => Promise.reject(new Error('bad')) }));
  await warm(watched);
  const spaces = Array.from({ length: 40 }, () => uuidv7());
  const sent = new Map<string, string[]>(spaces.map((space) => [space, []]));
  const bad: string[] = [];
  for (let n = 0; n < 400; n += 1) {
    const space = spaces[n % 40] as string;
    const isBad = n === 87 || n === 207 || n === 208;
    const id = await emit(space, isBad ? { fault: 'bad' } : {});
    (isBad ? bad : (sent.get(space) ?? [])).push(id);
  }
  expect(await watched.relay.relayBatch()).toBe(400);
  expect(await outbox()).toEqual([]);
  expect(await rejected()).toMatchObject(bad.map((event_id) => ({ event_id })));
  const told = watched.batches.flat();
  for (const [space, ids] of sent)
    expect(told.filter(({ spaceId }) => spaceId === space).map(({ eventId }) => eventId)).toEqual(ids);
  // Spaces 7 and 8 are affected, so their events come last.
  const concerned = new Set([spaces[7], spaces[8]]);
  const firstOfTheirs = told.findIndex(({ spaceId }) => concerned.has(spaceId));
  expect(told.slice(firstOfTheirs).every(({ spaceId }) => concerned.has(spaceId))).toBe(true);
  expect(firstOfTheirs).toBe(380);
  // No subscriber has to reset, and no failure is reported.
  expect([watched.resets, watched.failures]).toEqual([0, []]);
});

test('a faulty event costs a handful of transactions, not one per event', async () => {
  let plans = 0;
  const plan = planBut({ bad: () => Promise.reject(new Error('bad')) });
  const watched = watch((tx, records) => {
    plans += 1;
    return plan(tx, records);
  });
  const space = uuidv7();
  for (let n = 0; n < 256; n += 1) await emit(space, n === 100 ? { fault: 'bad' } : {});
  await watched.relay.relayBatch();
  expect(await planned()).toHaveLength(255);
  expect(plans).toBeLessThanOrEqual(2 * Math.log2(256) + 2);
});

/** Appends events of a space in one statement. */
async function flood(spaceId: string, facts: Fact[]): Promise<string[]> {
  const ids = facts.map(() => uuidv7());
  const events = facts.map((payload, n) => ({ eventId: ids[n] as string, spaceId, type: 'FACT', payload }));
  await runInWorkerTx(db, (tx) => appendOutbox(tx, ...events));
  return ids;
}

const refuse = (tx: Tx): unknown => tx.query('SELECT nothing_like_it()');

test.each([
  ['throw', () => Promise.reject(new Error('bad'))],
  ['fail with SQLSTATE class 42', refuse],
])(
  'many events that %s do not delay other spaces, because they get a small share of the time',
  async (_, fault) => {
    const watched = watch(planBut({ bad: fault }));
    const [storm, calm] = [uuidv7(), uuidv7()];
    const facts = Array.from({ length: 640 }, (_one, n) => (n % 100 === 99 ? {} : { fault: 'bad' }));
    const ids = await flood(storm, facts);
    const others = [await emit(calm), await emit(calm)];
    const step = (): Promise<number> => watched.relay.relayBatch().catch(() => 1);
    await step();
    await step();
    expect(await planned()).toEqual(expect.arrayContaining(others));
    expect((await outbox()).length).toBeGreaterThan(500);
    // An event that arrives now is planned by the next step.
    const late = await emit(calm);
    await step();
    expect(await planned()).toContain(late);
    while ((await step()) > 0);
    const own = (await planned()).filter((id) => ids.includes(id));
    expect(own).toEqual(ids.filter((_id, n) => n % 100 === 99));
    expect(await rejected()).toHaveLength(634);
    expect(await outbox()).toEqual([]);
  },
);

test('a held space is relayed without pauses', async () => {
  const watched = watch(planBut({ bad: () => Promise.reject(new Error('bad')) }));
  const space = uuidv7();
  await flood(space, [...Array.from({ length: 400 }, () => ({ fault: 'bad' })), {}]);
  // The relay is not started and does not poll, so after a pause only its leadership wakes it.
  watched.leadership.start(() => watched.relay.wake());
  await eventually(
    async () => expect([(await planned()).length, (await rejected()).length]).toEqual([1, 400]),
    { timeoutMs: 100_000 },
  );
  await eventually(() => expect(watched.held.at(-1)).toBe(0));
  expect(watched.held).toContain(1);
});

test('while program and schema do not match, no event is rejected, and planning continues once they do', async () => {
  const blocked: boolean[] = [];
  const watched = watch(write, db, (is) => blocked.push(is));
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1)
    ids.push(
      ...(await flood(
        uuidv7(),
        Array.from({ length: 60 }, () => ({})),
      )),
    );
  const large = await flood(
    uuidv7(),
    Array.from({ length: 600 }, () => ({})),
  );
  await db.query('ALTER TABLE planned RENAME TO planned_once');
  watched.relay.start();
  try {
    await eventually(() => expect(watched.failures.length).toBeGreaterThan(8), {
      timeoutMs: 60_000 + 10 * slackMs,
    });
    expect(String(watched.failures.at(-1))).toContain('program and schema do not fit');
    expect([await rejected(), (await outbox()).length]).toEqual([[], 780]);
    expect(blocked.every((is) => is)).toBe(true);
  } finally {
    await db.query('ALTER TABLE planned_once RENAME TO planned');
  }
  await eventually(async () => expect(await outbox()).toEqual([]), { timeoutMs: 60_000 });
  const told = await planned();
  expect(told.filter((id) => large.includes(id))).toEqual(large);
  expect(told.filter((id) => ids.includes(id)).sort()).toEqual([...ids].sort());
  expect(await rejected()).toEqual([]);
  expect(blocked.at(-1)).toBe(false);
});

test('a transient failure during the search for a faulty event loses nothing and rejects no other event', async () => {
  let plans = 0;
  const plan = planBut({ bad: () => Promise.reject(new Error('bad')) });
  const watched = watch((tx, records) => {
    plans += 1;
    return plans % 3 === 0
      ? Promise.reject(Object.assign(new Error('away'), { code: '57P01' }))
      : plan(tx, records);
  });
  const space = uuidv7();
  const ids: string[] = [];
  for (let n = 0; n < 64; n += 1) ids.push(await emit(space, n === 20 ? { fault: 'bad' } : {}));
  watched.relay.start();
  await eventually(async () => expect(await outbox()).toEqual([]), { timeoutMs: 60_000 });
  expect(await rejected()).toMatchObject([{ event_id: ids[20] }]);
  expect(await planned()).toEqual(ids.filter((_, n) => n !== 20));
});

test('subscribers are reset only when the outcome of a COMMIT is unknown', async () => {
  const proxy = await startTcpProxy(database.url);
  const cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
  try {
    const watched = watch(write, cut);
    await warm(watched);
    const first = await emit(uuidv7());
    let commits = 0;
    proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? 'after' : undefined));
    await expect(watched.relay.relayBatch()).rejects.toThrow('lost during COMMIT');
    expect(watched.resets).toBe(1);
    proxy.cutWhen((bytes) => (bytes.includes('INSERT INTO planned') ? 'before' : undefined));
    const second = await emit(uuidv7());
    await expect(watched.relay.relayBatch()).rejects.toThrow();
    proxy.cutWhen(() => undefined);
    await watched.relay.relayBatch();
    expect(watched.resets).toBe(1);
    expect(await planned()).toEqual([first, second]);
  } finally {
    await cut.close();
    await proxy.close();
  }
});
