import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { seedSpace } from '@tieline/spaces/testing';
import { createTestDatabase, eventually, mayIdle, readRows, withNestedLoops } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { ChatFixture } from '@tieline/conversations/testing';
import { claimFresh } from './claim-jobs.js';
import { NotificationBatches } from './notification-batches.js';
import type { BatchEvents } from './notification-batches.js';
import { CLAIM_FRESH, INSERT_JOBS } from '../jobs/notification-jobs.statements.js';

const MAX_ATTEMPTS = 3;
let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 8 });
});
afterEach(async () => {
  await db.query('TRUNCATE notification_jobs, notification_rejected, notifications');
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

interface TestChannel {
  spaceId: string;
  channelId: string;
  people: string[];
}

async function testChannel(members = 2, on = db): Promise<TestChannel> {
  const space = await seedSpace(on);
  const people = await Promise.all(
    Array.from({ length: members }, async () => (await space.person('member')).id),
  );
  const channelId = await new ChatFixture(on, space.spaceId).conversation({
    members: people.map((id) => ({ id, type: 'user' as const })),
  });
  return { spaceId: space.spaceId, channelId, people };
}

/** Adds people to a channel. */
async function addPeople({ spaceId, channelId }: TestChannel, n: number): Promise<void> {
  await db.query(
    `WITH crowd AS (
       INSERT INTO users (space_id, id, display_name, role, token_hash)
       SELECT $1, gen_random_uuid(), 'x', 'member', sha256(convert_to(gen_random_uuid()::text, 'UTF8')) FROM generate_series(1, $3::int) RETURNING id)
     INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) SELECT $1, $2, id, 'user' FROM crowd`,
    [spaceId, channelId, n],
  );
}

/**
 * Stores pending messages as the relay does.
 * @returns their ids
 */
async function plan(
  { spaceId, channelId }: TestChannel,
  n: number,
  notice: object = {},
  on = db,
): Promise<string[]> {
  const ids = Array.from({ length: n }, () => uuidv7());
  const full = {
    severity: 'warning',
    default_push: true,
    mentions: [],
    channel: true,
    here: false,
    title: 'Monitor',
    body: 'disk is full',
    ...notice,
  };
  await on.query(INSERT_JOBS, {
    spaceIds: ids.map(() => spaceId),
    eventIds: ids.map(() => uuidv7()),
    messageIds: ids,
    conversationIds: ids.map(() => channelId),
    channelIds: ids.map(() => channelId),
    notices: ids.map(() => JSON.stringify(full)),
    occurredAt: ids.map(() => new Date()),
  });
  return ids;
}

class RecordedEvents implements BatchEvents {
  readonly failures: { messageId: string; attempts: number; isRejected: boolean }[] = [];
  notified = async (): Promise<void> => undefined;
  messageFailed: BatchEvents['messageFailed'] = ({ messageId }, outcome) => {
    this.failures.push({ messageId, ...outcome });
  };
}

function batches(on = db, told = new RecordedEvents()): NotificationBatches {
  return new NotificationBatches(on, MAX_ATTEMPTS, told);
}

/**
 * Runs batches, including after failures, until nothing is left.
 * @returns the number of runs
 */
async function runAll(work: NotificationBatches, pauses = 0): Promise<number> {
  let thrown = 0;
  for (let runs = 1; ; runs += 1) {
    const more = await work.run().catch((error: unknown) => {
      if ((thrown += 1) > pauses) throw error;
      return true;
    });
    if (!more) return runs;
  }
}

/** Returns the messages that a person was notified of, in list order. */
async function toldTo(userId = '', on = db): Promise<string[]> {
  const rows = await readRows<{ message: string }>(
    on,
    'SELECT message_id AS message FROM notifications WHERE user_id = $1 ORDER BY id',
    [userId],
  );
  return rows.map(({ message }) => message);
}

const waiting = (): Promise<{ attempts: number }[]> =>
  readRows<{ attempts: number }>(db, 'SELECT attempts FROM notification_jobs ORDER BY position');

describe('fairness between spaces', () => {
  test('3,000 messages of one space delay the alert of another by one batch', async () => {
    const [flooded, calm] = [await testChannel(), await testChannel()];
    const flood = await plan(flooded, 3000);
    const work = batches();
    await work.run();
    const [alert] = await plan(calm, 1, { severity: 'critical' });
    await work.run();
    expect(await toldTo(calm.people[0])).toEqual([alert]);
    expect(await waiting()).not.toHaveLength(0);
    expect(await runAll(work)).toBeLessThan(150);
    for (const person of flooded.people) expect(await toldTo(person)).toEqual(flood);
  });

  test('each of many spaces gets its turn, however many messages one of them has', async () => {
    const testChannels = await Promise.all(Array.from({ length: 40 }, () => testChannel(1)));
    await plan(testChannels[0] as TestChannel, 500);
    for (const one of testChannels) await plan(one, 1);
    const work = batches();
    for (let run = 0; run < 4; run += 1) await work.run();
    for (const { people } of testChannels.slice(1)) expect(await toldTo(people[0])).toHaveLength(1);
  });

  test('a batch writes at most 2,000 notifications, unless a single message needs more', async () => {
    const [large, small, calm] = [await testChannel(), await testChannel(), await testChannel(1)];
    await addPeople(large, 2500);
    await addPeople(small, 900);
    for (const one of [large, small, small, small, calm]) await plan(one, 1);
    const work = batches();
    const written: number[] = [];
    for (let sum = 0; written.at(-1) !== 0; sum += written.at(-1) ?? 0) {
      await work.run();
      written.push((await db.query('SELECT 1 FROM notifications')).length - sum);
    }
    expect(written.reduce((sum, n) => sum + n, 0)).toBe(2502 + 3 * 902 + 1);
    expect(written.filter((n) => n > 2000)).toEqual([2502]);
  });

  test('100,000 waiting messages are not read to claim a few', async () => {
    const flooded = await testChannel();
    await db.query(
      `INSERT INTO notification_jobs (space_id, event_id, message_id, conversation_id, channel_id, notice, occurred_at)
       SELECT CASE WHEN n % 50 = 0 THEN gen_random_uuid() ELSE $1 END, gen_random_uuid(), gen_random_uuid(), $2, $2, '{"severity":"info"}', now()
         FROM generate_series(1, 102000) n`,
      [flooded.spaceId, flooded.channelId],
    );
    const client = await db.pool.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_sort = off');
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${CLAIM_FRESH.preparedText}`,
        [justBefore(flooded.spaceId), 32],
      );
      const [{ Plan: top }] = rows[0]?.['QUERY PLAN'] as [{ Plan: PlanNode }];
      expect(top['Actual Rows']).toBeGreaterThan(40);
      expect(top['Shared Hit Blocks'] + top['Shared Read Blocks']).toBeLessThan(1000);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });
});

/** Returns the id before this one. */
function justBefore(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) - 1n).toString(16).padStart(32, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

interface PlanNode {
  'Actual Rows': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

test('critical messages come first within their space, all others in message order', async () => {
  const here = await testChannel(1);
  const first = await plan(here, 3);
  const critical = await plan(here, 2, { severity: 'critical' });
  const last = await plan(here, 40, { severity: 'info' });
  await runAll(batches());
  expect(await toldTo(here.people[0])).toEqual([...critical, ...first, ...last]);
});

test('a run says whether messages are left, including those that came during its batch', async () => {
  const here = await testChannel(1);
  let others = 1;
  const events = new RecordedEvents();
  events.notified = async () => {
    if (others-- > 0) await plan(here, 1);
  };
  const work = batches(db, events);
  await plan(here, 1);
  expect(await work.run()).toBe(true);
  expect(await work.run()).toBe(false);
  expect(await toldTo(here.people[0])).toHaveLength(2);
});

describe('a message that fails', () => {
  // Neither severity is valid for a notification; the second notice also has no mentions to search.
  test.each([
    ['the database refuses', { severity: 'disaster' }],
    ['the program cannot read', { mentions: null, channel: false }],
  ])('because %s delays no one, is retried and then rejected', async (_what, poison) => {
    const [ill, well] = [await testChannel(1), await testChannel(1)];
    const before = await plan(ill, 5);
    const [bad = ''] = await plan(ill, 1, poison);
    const after = await plan(ill, 20);
    const others = await plan(well, 20);
    const told = new RecordedEvents();
    const work = batches(db, told);
    await work.run();
    expect(await toldTo(ill.people[0])).toEqual([...before, ...after]);
    expect(await toldTo(well.people[0])).toEqual(others);
    expect(await waiting()).toEqual([{ attempts: 1 }]);
    for (const attempts of [2, 3]) {
      await db.query('UPDATE notification_jobs SET due_at = now()');
      await work.run();
      expect(told.failures.at(-1)).toEqual({
        messageId: bad,
        attempts,
        isRejected: attempts === MAX_ATTEMPTS,
      });
    }
    expect(await waiting()).toEqual([]);
    expect(
      await db.query('SELECT message_id, attempts, error <> $1 AS told FROM notification_rejected', ['']),
    ).toEqual([{ message_id: bad, attempts: 3, told: true }]);
  });

  test('is retried after pauses that grow to half an hour', async () => {
    const here = await testChannel(1);
    await plan(here, 1, { severity: 'disaster' });
    const work = new NotificationBatches(db, 100, new RecordedEvents());
    for (const pause of [1, 4, 16, 64, 256, 1024, 1800, 1800]) {
      const [before] = await readRows<{ at: string }>(
        db,
        'UPDATE notification_jobs SET due_at = clock_timestamp() RETURNING due_at::text AS at',
      );
      await work.run();
      // The old due time is before the failure, now is after it.
      const [row] = await readRows<{ isAfter: boolean; isBefore: boolean }>(
        db,
        `SELECT due_at >= $1::timestamptz + $2::int * interval '1 second' AS "isAfter",
                due_at <= clock_timestamp() + $2::int * interval '1 second' AS "isBefore"
         FROM notification_jobs`,
        [before?.at, pause],
      );
      expect({ pause, ...row }).toEqual({ pause, isAfter: true, isBefore: true });
    }
  });

  test('with timeouts is found by ever smaller batches', async () => {
    const here = await testChannel(1);
    const before = await plan(here, 11);
    const [slow = ''] = await plan(here, 1);
    const after = await plan(here, 11);
    await db.query(
      `CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'too slow' USING ERRCODE = '57014'; END $$`,
    );
    await db.query(
      `CREATE TRIGGER too_slow BEFORE INSERT ON notifications_default FOR EACH ROW WHEN (NEW.message_id = '${slow}') EXECUTE FUNCTION too_slow()`,
    );
    try {
      const told = new RecordedEvents();
      await runAll(batches(db, told), 20);
      expect(await toldTo(here.people[0])).toEqual([...before, ...after]);
      expect(told.failures[0]).toEqual({ messageId: slow, attempts: 1, isRejected: false });
    } finally {
      await db.query('DROP FUNCTION too_slow CASCADE');
    }
  });
});

test('a worker that dies between claim and commit loses nothing and repeats nothing', async () => {
  const here = await testChannel(1);
  const messages = await plan(here, 20);
  const work = batches();
  const holder = await db.pool.connect();
  try {
    // The batch has claimed and cannot write. Then its session ends.
    await holder.query('BEGIN');
    await mayIdle(holder);
    await holder.query('LOCK TABLE notifications');
    const dying = work.run().then(
      () => 'done',
      () => 'died',
    );
    const blocked = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'INSERT INTO notifications%'`;
    await eventually(async () => expect(await db.query(blocked)).toHaveLength(1));
    await db.query(`SELECT pg_terminate_backend(pid) FROM (${blocked}) b`);
    expect(await dying).toBe('died');
    await holder.query('ROLLBACK');
  } finally {
    holder.release();
  }
  expect(await waiting()).toEqual(messages.map(() => ({ attempts: 0 })));
  expect(await toldTo(here.people[0])).toEqual([]);
  // The server may still be releasing the dead session's locks.
  await eventually(async () => {
    await runAll(batches());
    expect(await toldTo(here.people[0])).toEqual(messages);
  });
});

/**
 * Starts a worker that has claimed new messages and waits until it is released. It processes
 * nothing then.
 */
async function holdSome(): Promise<{ held: number; letGo: () => Promise<void> }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let claimed: (held: number) => void = () => undefined;
  const claiming = new Promise<number>((resolve) => (claimed = resolve));
  const holding = runInWorkerTx(db, async (tx) => {
    await mayIdle(tx);
    claimed((await claimFresh(tx, '00000000-0000-0000-0000-000000000000', 512)).jobs.length);
    await released;
  });
  return {
    held: await Promise.race([claiming, holding.then(() => 0)]),
    letGo: () => {
      release();
      return holding;
    },
  };
}

test('messages claimed by one worker are not overtaken by another, neither by later nor by failed ones of the space', async () => {
  const [here, elsewhere] = [await testChannel(1), await testChannel(1)];
  const [failed = ''] = await plan(here, 1);
  await db.query('UPDATE notification_jobs SET attempts = 1');
  const messages = await plan(here, 40);
  const { held, letGo } = await holdSome();
  expect(held).toBeLessThan(messages.length);
  const others = await plan(elsewhere, 3);
  await runAll(batches());
  expect(await toldTo(elsewhere.people[0])).toEqual(others);
  expect(await toldTo(here.people[0])).toEqual([]);
  await letGo();
  await runAll(batches());
  const told = await toldTo(here.people[0]);
  expect(told.filter((id) => id !== failed)).toEqual(messages);
  expect(told).toContain(failed);
});

test('two concurrent workers process every message once, in order', async () => {
  const other = await openDb({ databaseUrl: database.url, poolMax: 4 });
  try {
    const testChannels = await Promise.all(Array.from({ length: 4 }, () => testChannel()));
    const planned = new Map<TestChannel, string[]>();
    for (let n = 0; n < 5; n += 1)
      for (const one of testChannels)
        planned.set(one, [...(planned.get(one) ?? []), ...(await plan(one, 60))]);
    const workers = [batches(), batches(other)];
    await eventually(
      async () => {
        await Promise.all(workers.map((worker) => runAll(worker)));
        expect(await waiting()).toEqual([]);
      },
      { timeoutMs: 60_000 },
    );
    for (const [{ people }, messages] of planned)
      for (const person of people) expect(await toldTo(person)).toEqual(messages);
  } finally {
    await other.close();
  }
});

test('alerts are not lost under a nested loop plan', () =>
  withNestedLoops(async (nested) => {
    const here = await testChannel(2, nested);
    const messages = await plan(here, 50, {}, nested);
    await runAll(batches(nested));
    for (const person of here.people) expect(await toldTo(person, nested)).toEqual(messages);
  }));
