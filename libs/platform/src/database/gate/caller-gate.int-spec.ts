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
  holder = new pg.Client(database.url);
  await holder.connect();
});
afterAll(async () => {
  await holder?.end();
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

/** Holds {@link LOCK} with `hold`, until `release`. */
let holder: pg.Client;
const LOCK = 4711;
const hold = (): Promise<unknown> => holder.query(`SELECT pg_advisory_lock(${LOCK})`);
const release = (): Promise<unknown> => holder.query(`SELECT pg_advisory_unlock(${LOCK})`);

/** Returns the number of connections whose query waits for the lock. */
async function waiting(): Promise<number> {
  const sql = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'bounded' AND wait_event = 'advisory'
    AND datname = current_database()`;
  return (await holder.query(sql)).rowCount ?? 0;
}

const WAIT = `SELECT pg_advisory_xact_lock_shared(${LOCK})`;
const wait = (): Promise<unknown> => db.query(WAIT);
const entityWait = (): Promise<unknown> => db.manager.query(WAIT);
const txWait = (): Promise<unknown> =>
  runInTx(db, (tx) => tx.query(WAIT), { spaceId: 's', place: String(Math.random()) });

test('limits a caller to a third of the pool for queries, entities and transactions together', async () => {
  await hold();
  const greedy = [wait, wait, entityWait, entityWait, txWait, txWait];
  const all = Promise.all(greedy.map((work) => as('greedy', work)));
  try {
    await eventually(async () => expect(await waiting()).toBe(POOL / 3));
    // Other callers get a connection while the lock is held.
    const others = ['b', 'c', 'd'].map((caller) => as(caller, () => db.query('SELECT 1')));
    await withinDeadline(Promise.all(others), 20_000, 'the other callers had to wait');
    expect(await waiting()).toBe(POOL / 3);
  } finally {
    await release();
  }
  await all;
});

test('transactions of a caller that wait do not delay those of others in the space', async () => {
  const done = new EventEmitter();
  const held = once(done, 'done');
  const write = (place: string) => runInTx(db, () => held, { spaceId: 's', place });
  const all = Promise.all(Array.from({ length: 20 }, (_, n) => as('greedy', () => write(`row ${n}`))));
  try {
    const other = as('b', () => runInTx(db, (tx) => tx.query('SELECT 1'), { spaceId: 's', place: 'other' }));
    await expect(withinDeadline(other, 20_000, 'the other caller had to wait')).resolves.toHaveLength(1);
  } finally {
    done.emit('done');
  }
  await all;
});

test('work outside requests may use the whole pool', async () => {
  await hold();
  const all = Promise.all(Array.from({ length: POOL }, wait));
  try {
    await eventually(async () => expect(await waiting()).toBe(POOL));
  } finally {
    await release();
  }
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
