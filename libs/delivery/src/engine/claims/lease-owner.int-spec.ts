import { uuidv7 } from 'uuidv7';
import { LEASE_OWNER_LOCKS } from '@tieline/background';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, eventually, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { LeaseOwner, releaseDeadLeases } from './lease-owner.js';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});
afterEach(async () => {
  await db.query('TRUNCATE delivery_queue, delivery_workers');
});

/** Inserts a delivery that this worker has in flight. */
async function leasedTo(owner: number): Promise<string> {
  const id = uuidv7();
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, lease, lease_owner, lease_until)
     VALUES ($1, $1, 'outgoing', $1, 0, 1, $2, now() + interval '1 hour')`,
    [id, owner],
  );
  return id;
}

const ownerOf = async (id: string): Promise<unknown> =>
  (
    await readRows<Record<string, unknown>>(db, 'SELECT lease_owner FROM delivery_queue WHERE id = $1', [id])
  )[0]?.['lease_owner'];

test('a worker takes its lock before its row is visible, so no sweep considers it dead', async () => {
  const owner = new LeaseOwner(database.url);
  let registering: Promise<number> | undefined;
  await runInWorkerTx(db, async (tx) => {
    // The row must wait; the lock must not.
    await tx.query('LOCK TABLE delivery_workers IN SHARE MODE');
    registering = owner.current();
    await eventually(async () =>
      expect(
        await db.query(
          `SELECT 1 AS held FROM pg_locks WHERE locktype = 'advisory' AND classid = $1::oid AND granted
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
          [LEASE_OWNER_LOCKS],
        ),
      ).toEqual([{ held: 1 }]),
    );
    expect(await tx.query('SELECT owner FROM delivery_workers')).toEqual([]);
  });
  const number = await registering;
  expect(await db.query('SELECT owner FROM delivery_workers')).toEqual([{ owner: number }]);
  await owner.close();
});

test('a worker that lost its session moves its leases to its new number', async () => {
  const owner = new LeaseOwner(database.url);
  const before = await owner.current();
  const id = await leasedTo(before);
  await db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tieline-lease-owner' AND datname = current_database()`,
  );
  await eventually(async () => expect(await owner.current()).not.toBe(before));
  const after = await owner.current();
  expect(await ownerOf(id)).toBe(after);
  await db.query(`UPDATE delivery_workers SET started_at = now() - interval '1 minute'`);
  expect(await releaseDeadLeases(db)).toBe(0);
  expect(await db.query('SELECT owner FROM delivery_workers')).toEqual([{ owner: after }]);
  await owner.close();
});

test('leases of dead workers are released, those of living workers are not', async () => {
  const [dead, alive] = [new LeaseOwner(database.url), new LeaseOwner(database.url)];
  const ids = [await leasedTo(await dead.current()), await leasedTo(await alive.current())];
  await db.query(`UPDATE delivery_workers SET started_at = now() - interval '1 minute'`);
  await dead.close();
  await eventually(async () => expect(await releaseDeadLeases(db)).toBe(1));
  expect(await Promise.all(ids.map(ownerOf))).toEqual([null, await alive.current()]);
  await alive.close();
});
