import { uuidv7 } from 'uuidv7';
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

const bot = { spaceId: uuidv7(), botId: uuidv7() };
const record = () => ({ ...bot, eventId: uuidv7(), eventType: 'message.new', payload: '{}' });

const append = (count = 1): Promise<void> =>
  runInWorkerTx(db, (tx) => appendPollRecords(tx, Array.from({ length: count }, record)));

/** In insertion order; ids of the future are in one partition. */
const ids = async (): Promise<bigint[]> =>
  (await readRows<{ id: string }>(db, 'SELECT id::text FROM poll_records ORDER BY ctid')).map(({ id }) =>
    BigInt(id),
  );

/** A server whose clock was an hour ahead. */
const AHEAD = '(extract(epoch FROM clock_timestamp()) * 1000000000)::bigint + 3600000000000';

test.each([
  ['this version', `UPDATE poll_clock SET last_id = ${AHEAD}`],
  ['a relay of an earlier version', `INSERT INTO poll_clocks (node, last_id) VALUES (2, ${AHEAD})`],
])('ids of a bot only grow, even if the clock was ahead for %s', async (_, setAhead) => {
  await db.query(setAhead);
  const [row] = await readRows<{ ahead: string }>(
    db,
    'SELECT greatest(last_id, (SELECT max(last_id) FROM poll_clocks))::text AS ahead FROM poll_clock',
  );
  for (let n = 0; n < 3; n += 1) await append(3);
  const all = await ids();
  expect(all).toHaveLength(9);
  expect([BigInt(row?.ahead ?? 0), ...all]).toEqual(
    [...all, BigInt(row?.ahead ?? 0)].sort((a, b) => (a < b ? -1 : 1)),
  );
  expect(new Set(all).size).toBe(9);
});

test('a position never exceeds the last id, and follows later cursors', async () => {
  const positions = new PollPositions(db);
  const position = async (): Promise<bigint> => {
    const [row] = await readRows<{ to: string }>(db, 'SELECT polled_to::text AS to FROM poll_positions');
    return BigInt(row?.to ?? 0);
  };
  await append();
  await positions.note(bot, '9000000000000000000');
  expect([await position()]).toEqual(await ids());
  await append();
  const last = (await ids()).at(-1);
  await positions.note(bot, String(last));
  expect(await position()).toBe(last);
});
