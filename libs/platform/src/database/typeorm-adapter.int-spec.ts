import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { openDb, runInWorkerTx } from './index.js';
import type { Db, Tx } from './index.js';
import { poolOf } from './typeorm-adapter.js';

@Entity('adapter_notes')
class Note {
  @PrimaryColumn('int')
  id: number;

  @Column('text')
  text: string;
}

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url, poolMax: 3 });
  await db.query('CREATE TABLE adapter_notes (id int PRIMARY KEY, text text)');
});
afterEach(() => db.query('TRUNCATE adapter_notes'));
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const CONNECTION = 'SELECT pg_backend_pid() AS pid, pg_current_xact_id()::text AS transaction';

/** Writes through the manager and reads back over the same connection. */
async function write(tx: Tx, id: number): Promise<void> {
  await tx.manager.save(Note, [
    { id, text: 'a' },
    { id: id + 1, text: 'b' },
  ]);
  await tx.manager.update(Note, { id }, { text: 'c' });
}

test('returns the pool that TypeORM uses', async () => {
  expect(poolOf(db.dataSource)).toBeInstanceOf(pg.Pool);
  await Promise.all([db.query('SELECT 1'), db.manager.find(Note)]);
  expect(db.pool.totalCount).toBeGreaterThan(0);
  expect(db.pool.totalCount).toBeLessThanOrEqual(3);
});

test('the manager of a transaction works on its connection, inside the transaction', async () => {
  await runInWorkerTx(db, async (tx) => {
    await write(tx, 1);
    expect(await tx.manager.query(CONNECTION)).toEqual(await tx.query(CONNECTION));
    expect(await tx.query('SELECT id, text FROM adapter_notes ORDER BY id')).toEqual([
      { id: 1, text: 'c' },
      { id: 2, text: 'b' },
    ]);
    expect(await db.manager.find(Note)).toEqual([]);
  });
  expect(await db.manager.count(Note)).toBe(2);
});

test('writes of the manager are rolled back with the transaction', async () => {
  const failed = runInWorkerTx(db, async (tx) => {
    await write(tx, 1);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await db.manager.count(Note)).toBe(0);
});

test('a transaction of the manager neither commits nor ends the outer one', async () => {
  const failed = runInWorkerTx(db, async (tx) => {
    const [before] = await tx.query(CONNECTION);
    await tx.manager.transaction((inner) => inner.insert(Note, { id: 1, text: 'a' }));
    await tx.manager
      .transaction(async (inner) => {
        await inner.insert(Note, { id: 2, text: 'b' });
        throw new Error('undone');
      })
      .catch(() => undefined);
    expect(await tx.query('SELECT id FROM adapter_notes')).toEqual([{ id: 1 }]);
    expect(await tx.query(CONNECTION)).toEqual([before]);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(await db.manager.count(Note)).toBe(0);
});

test('no connection leaks', async () => {
  for (let n = 0; n < 10; n += 1) await runInWorkerTx(db, (tx) => write(tx, n * 2));
  expect(db.pool.idleCount).toBe(db.pool.totalCount);
});
