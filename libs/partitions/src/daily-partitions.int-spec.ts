import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, eventually, slackMs } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { rotateDailyPartitions } from './daily-partitions.js';
import type { DailyTable } from './daily-partitions.js';

const DAY_MS = 86_400_000;
const LOCK = 7_139_999;
const TABLE: DailyTable = {
  name: 'logbook',
  column: 'at',
  floor: (at) => at.toISOString(),
  retentionMs: 2 * DAY_MS,
};

let database: TestDatabase;
let db: Db;
let dump: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  dump = new pg.Client({ connectionString: database.url });
  await dump.connect();
});
afterAll(async () => {
  await dump?.end();
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await db.query('DROP TABLE IF EXISTS logbook');
  await db.query('CREATE TABLE logbook (at timestamptz NOT NULL) PARTITION BY RANGE (at)');
  await db.query('CREATE TABLE logbook_default PARTITION OF logbook DEFAULT');
});

const days = async (): Promise<unknown[]> =>
  db.query("SELECT 1 FROM pg_inherits WHERE inhparent = 'logbook'::regclass");

test('creates partitions of yesterday, today and the next three days, and drops expired ones', async () => {
  const now = Date.now();
  await db.query('INSERT INTO logbook VALUES ($1)', [new Date(now)]);
  await rotateDailyPartitions(db, TABLE, LOCK, new Date(now));
  expect(await days()).toHaveLength(6);
  expect(await db.query('SELECT 1 FROM logbook_default')).toEqual([]);
  await rotateDailyPartitions(db, TABLE, LOCK, new Date(now + 10 * DAY_MS));
  expect(await days()).toHaveLength(6);
  expect(await db.query('SELECT 1 FROM logbook')).toEqual([]);
});

test('gives up within a second while a dump locks the table, without blocking reads and writes, and works later', async () => {
  const later = new Date(Date.now() + 10 * DAY_MS);
  await rotateDailyPartitions(db, TABLE, LOCK);
  await dump.query('BEGIN');
  await dump.query('LOCK TABLE logbook IN ACCESS SHARE MODE');
  const begun = performance.now();
  const [rotation] = await Promise.allSettled([
    rotateDailyPartitions(db, TABLE, LOCK, later),
    ...Array.from({ length: 10 }, () => db.query('SELECT 1 FROM logbook')),
    ...Array.from({ length: 10 }, () => db.query('INSERT INTO logbook VALUES (now())')),
  ]);
  expect(rotation).toMatchObject({ status: 'rejected', reason: { code: '55P03' } });
  // The dump holds its lock for longer.
  expect(performance.now() - begun).toBeLessThan(15_000 + slackMs);
  expect(await db.query('SELECT 1 FROM logbook')).toHaveLength(10);
  await dump.query('ROLLBACK');
  await rotateDailyPartitions(db, TABLE, LOCK, later);
  expect(await days()).toHaveLength(6);
});

test('retries while a statement locks the table, until the process ends', async () => {
  const later = new Date(Date.now() + 10 * DAY_MS);
  await rotateDailyPartitions(db, TABLE, LOCK);
  await dump.query('BEGIN');
  await dump.query('LOCK TABLE logbook IN ACCESS SHARE MODE');
  const ending = new AbortController();
  const ended = rotateDailyPartitions(db, TABLE, LOCK, later, {
    tries: 9,
    pauseMs: 60_000,
    signal: ending.signal,
  });
  setTimeout(() => ending.abort(), 400);
  await expect(ended).rejects.toMatchObject({ code: '55P03' });
  const rotation = rotateDailyPartitions(db, TABLE, LOCK, later, { tries: 30, pauseMs: 1_000 });
  await eventually(async () => {
    const waiting = await db.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'logbook'::regclass AND NOT granted",
    );
    expect(waiting).toHaveLength(1);
  });
  // The first try is over.
  await eventually(async () => {
    const waiting = await db.query(
      "SELECT 1 FROM pg_locks WHERE relation = 'logbook'::regclass AND NOT granted",
    );
    expect(waiting).toHaveLength(0);
  });
  await dump.query('ROLLBACK');
  await rotation;
  expect(await days()).toHaveLength(6);
});

test('a concurrent reader sees each row once while rows leave the default partition', async () => {
  const rows = 2_000;
  await db.query('INSERT INTO logbook SELECT now() FROM generate_series(1, $1)', [rows]);
  let over = false;
  const read = async (): Promise<number[]> => {
    const seen: number[] = [];
    while (!over) seen.push((await db.query('SELECT 1 FROM logbook')).length);
    return seen;
  };
  const readers = Array.from({ length: 6 }, read);
  await rotateDailyPartitions(db, TABLE, LOCK).finally(() => (over = true));
  const seen = (await Promise.all(readers)).flat();
  expect(seen.length).toBeGreaterThan(20);
  expect(new Set(seen)).toEqual(new Set([rows]));
});

test('concurrent writes succeed while a partition is created', async () => {
  let over = false;
  const write = async (): Promise<number> => {
    let written = 0;
    for (; !over; written += 1) await db.query('INSERT INTO logbook VALUES (now())');
    return written;
  };
  const writers = Array.from({ length: 6 }, write);
  await rotateDailyPartitions(db, TABLE, LOCK).finally(() => (over = true));
  const written = (await Promise.all(writers)).reduce((sum, n) => sum + n, 0);
  expect(await db.query('SELECT 1 FROM logbook')).toHaveLength(written);
  expect(await db.query('SELECT 1 FROM logbook_default')).toEqual([]);
});
