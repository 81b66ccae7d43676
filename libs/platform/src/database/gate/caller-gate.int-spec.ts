import { EventEmitter, once } from 'node:events';
import { inRequest, nameCaller, TurnMissed, withinDeadline } from '@tieline/background';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { openDb } from '../db.js';
import type { Db } from '../db.js';
import { runInTx } from '../run-in-tx.js';
import { boundCallers } from './caller-gate.js';

const POOL = 6;
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: POOL, applicationName: 'bounded' });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/** Runs work as a request of this caller. */
const as = <T>(caller: string, work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    inRequest(() => {
      nameCaller(caller);
      work().then(resolve, reject);
    });
  });

/** Returns the number of connections in a waiting query. */
async function sleeping(): Promise<number> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'bounded' AND query LIKE 'SELECT pg_sleep%' AND state = 'active'`;
  const client = new pg.Client(database.url);
  await client.connect();
  const { rowCount } = await client.query(sql);
  await client.end();
  return rowCount ?? 0;
}

const nap = (): Promise<unknown> => db.query('SELECT pg_sleep(0.6)');
const entityNap = (): Promise<unknown> => db.manager.query('SELECT pg_sleep(0.6)');
const txNap = (): Promise<unknown> =>
  runInTx(db, (tx) => tx.query('SELECT pg_sleep(0.6)'), { spaceId: 's', place: String(Math.random()) });

test('limits a caller to a third of the pool for queries, entities and transactions together', async () => {
  const all = Promise.all([nap, nap, entityNap, entityNap, txNap, txNap].map((work) => as('greedy', work)));
  await eventually(async () => expect(await sleeping()).toBe(POOL / 3));
  // Other callers get a connection immediately.
  const begun = performance.now();
  await Promise.all(['b', 'c', 'd'].map((caller) => as(caller, () => db.query('SELECT 1'))));
  expect(performance.now() - begun).toBeLessThan(500);
  expect(await sleeping()).toBeLessThanOrEqual(POOL / 3);
  await all;
});

test('transactions of a caller that wait do not delay those of others in the space', async () => {
  const done = new EventEmitter();
  const held = once(done, 'done');
  const write = (place: string) => runInTx(db, () => held, { spaceId: 's', place });
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => as('greedy', () => write(`row ${n}`))));
  try {
    const other = as('b', () => runInTx(db, (tx) => tx.query('SELECT 1'), { spaceId: 's', place: 'other' }));
    await expect(withinDeadline(other, 5_000, 'the other caller had to wait')).resolves.toHaveLength(1);
  } finally {
    done.emit('done');
  }
  await all;
});

test('work outside requests may use the whole pool', async () => {
  const all = Promise.all(Array.from({ length: POOL }, nap));
  await eventually(async () => expect(await sleeping()).toBe(POOL));
  await all;
});

test('a caller that waits too long is refused, and a failed statement releases its turn', async () => {
  const pool = new pg.Pool({ connectionString: database.url, max: 3 });
  boundCallers(pool, 50);
  const slow = as('a', () => pool.query('SELECT pg_sleep(0.3)'));
  await expect(as('a', () => pool.query('SELECT 1'))).rejects.toThrow(TurnMissed);
  await slow;
  await expect(as('a', () => pool.query('SELEC 1'))).rejects.toThrow(/syntax/);
  await expect(as('a', () => pool.query('SELECT 1'))).resolves.toMatchObject({ rowCount: 1 });
  await pool.end();
});
