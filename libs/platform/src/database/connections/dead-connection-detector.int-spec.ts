import { createTestDatabase, eventually, startTcpProxy } from '@tieline/testing';
import type { TcpProxy, TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { Db, openDb } from '../db.js';
import { runInWorkerTx } from '../run-in-tx.js';

const CONNECTIONS = 8;
/** Without the detector, statements on swallowed connections never end. */
const SOON_MS = 20_000;

let database: TestDatabase;
let proxy: TcpProxy;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());
beforeEach(async () => {
  proxy = await startTcpProxy(database.url);
  db = await openDb({ databaseUrl: proxy.url, poolMax: CONNECTIONS });
});
afterEach(async () => {
  await proxy?.close();
  await db?.close();
});

const many = (sql: string, length = CONNECTIONS): Promise<unknown[]>[] =>
  Array.from({ length }, () => db.query(sql));

test('when idle connections died, the first statement fails soon and all others work', async () => {
  await Promise.all(many('SELECT pg_sleep(0.1)'));
  expect(db.pool.idleCount).toBe(CONNECTIONS);
  proxy.swallow();
  const begun = Date.now();
  await expect(db.query('SELECT 1')).rejects.toThrow('Connection terminated');
  await Promise.all(many('SELECT 1'));
  expect(Date.now() - begun).toBeLessThan(SOON_MS);
});

test('when connections die during statements and transactions, all fail soon and the pool recovers', async () => {
  await Promise.all(many('SELECT pg_sleep(0.1)'));
  const direct = new pg.Client(database.url);
  await direct.connect();
  await direct.query('SELECT pg_advisory_lock(1)');
  const wait = 'SELECT pg_advisory_xact_lock_shared(1)';
  const statements = many(wait, CONNECTIONS - 1);
  const transaction = runInWorkerTx(db, (tx) => tx.query(wait));
  await eventually(async () => {
    const waiting =
      "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND datname = current_database()";
    expect((await direct.query(waiting)).rowCount).toBe(CONNECTIONS);
  });
  proxy.swallow();
  // Ends the statements, so that the server waits for the connections.
  await direct.end();
  const begun = Date.now();
  const outcomes = await Promise.allSettled([...statements, transaction]);
  expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 'rejected'));
  expect(Date.now() - begun).toBeLessThan(SOON_MS);
  await Promise.all(many('SELECT 1'));
});

test('a statement that the server still executes is not aborted, however long it is silent', async () => {
  const begun = Date.now();
  await Promise.all([
    db.query('SELECT pg_sleep(5)'),
    runInWorkerTx(db, (tx) => tx.query('SELECT pg_sleep(5)')),
  ]);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(5_000);
});

test('a statement with its own timeout fails then, and its connection is discarded', async () => {
  const before = db.pool.totalCount;
  await expect(db.query('SELECT pg_sleep(5)', [], { timeoutMs: 200 })).rejects.toThrow('Query read timeout');
  expect(db.pool.totalCount).toBe(before - 1);
});
