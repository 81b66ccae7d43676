import { v7 as uuidv7 } from 'uuid';
import type { Shard } from '@tieline/delivery';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { appendPollRecords } from './append-poll-records.js';
import { PollPositions } from './poll-positions.js';

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
afterEach(async () => {
  await db?.close();
  await database?.drop();
});

const WHOLE: Shard = { count: 1, number: 0 };
/** In the first of 16 slots. */
const bot = { spaceId: `${uuidv7().slice(0, 35)}0`, botId: uuidv7() };
const record = () => ({ ...bot, eventId: uuidv7(), eventType: 'message.new', payload: '{}' });

const append = (shard: Shard, count = 1): Promise<void> =>
  runInWorkerTx(db, (tx) => appendPollRecords(tx, Array.from({ length: count }, record), shard));

/** In insertion order; ids of the future are in one partition. */
const ids = async (): Promise<bigint[]> =>
  (await readRows<{ id: string }>(db, 'SELECT id::text FROM poll_records ORDER BY ctid')).map(({ id }) =>
    BigInt(id),
  );

/** A server whose clock was an hour ahead. */
const AHEAD = '(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint + 3600000000000';

test('ids of a bot only grow, even if the number of shards changes or the clock is set back', async () => {
  await db.query(`UPDATE poll_clock SET last_id = ${AHEAD}`);
  const halves = { count: 2, number: 0 };
  for (const shard of [
    WHOLE,
    halves,
    halves,
    { count: 4, number: 0 },
    halves,
    WHOLE,
    { count: 16, number: 0 },
    WHOLE,
  ])
    await append(shard, 3);
  const all = await ids();
  expect(all).toHaveLength(24);
  expect(all).toEqual([...all].sort((a, b) => (a < b ? -1 : 1)));
  expect(new Set(all).size).toBe(24);
});

test('a shard that is slow to commit does not delay others', async () => {
  await append({ count: 2, number: 1 });
  await runInWorkerTx(db, async (tx) => {
    await appendPollRecords(tx, [record()], { count: 2, number: 1 });
    await append({ count: 2, number: 0 });
  });
  expect(await ids()).toHaveLength(3);
});

test('a position never exceeds the last id of the shards that the space has been in', async () => {
  const noted = async (): Promise<bigint> => {
    await new PollPositions(db).note(bot, '9000000000000000000');
    const [row] = await readRows<{ to: string }>(db, 'SELECT polled_to::text AS to FROM poll_positions');
    return BigInt(row?.to ?? 0);
  };
  for (const shard of [WHOLE, { count: 4, number: 0 }, { count: 2, number: 0 }]) {
    await append(shard);
    const last = (await ids()).at(-1);
    await append({ count: 16, number: 5 }).catch(() => undefined);
    expect(await noted()).toBe(last);
  }
});
