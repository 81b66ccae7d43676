import type { Socket } from 'node:net';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { openDb } from './db.js';
import type { Db } from './db.js';
import { runInTx } from './run-in-tx.js';
import type { Tx } from './run-in-tx.js';
import { together } from './together.js';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query('CREATE TABLE numbers (n int PRIMARY KEY)');
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => runInTx(db, work, { spaceId: 's', place: 'p' });

test('returns all results, and each statement sees what the one before it has written', async () => {
  const insert = 'INSERT INTO numbers VALUES (1) RETURNING n';
  const results = await inTx((tx) => together(tx.query(insert), tx.query('SELECT n FROM numbers')));
  expect(results).toEqual([[{ n: 1 }], [{ n: 1 }]]);
});

test('BEGIN and the statements of one turn are sent with one write', async () => {
  let writes = 0;
  db.pool.once('acquire', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const { _writev: writeAll, _write: writeOne } = stream;
    stream._writev = (...sent) => ((writes += 1), writeAll?.apply(stream, sent));
    stream._write = (...sent) => ((writes += 1), writeOne.apply(stream, sent));
  });
  await inTx((tx) => together(tx.query('SELECT 1'), tx.query('SELECT 2')));
  const commit = 1;
  expect(writes).toBe(1 + commit);
});

test('throws the error of the statement that failed, not of those that it aborted', async () => {
  const failing = inTx((tx) =>
    together(
      tx.query('SELECT 1').then(() => tx.query('SELECT 2')),
      tx.query('SELECT 1 / 0'),
      tx.query('INSERT INTO numbers VALUES (2)'),
    ),
  );
  await expect(failing).rejects.toMatchObject({ code: '22012' });
  expect(await db.query('SELECT n FROM numbers WHERE n = 2')).toEqual([]);
});

test('throws the first of several errors after all works have settled', async () => {
  let isSettled = false;
  const late = new Promise<void>((resolve) => {
    setImmediate(() => {
      isSettled = true;
      resolve();
    });
  });
  const works = together(Promise.reject(new Error('first')), Promise.reject(new Error('second')), late);
  await expect(works).rejects.toThrow('first');
  expect(isSettled).toBe(true);
});
