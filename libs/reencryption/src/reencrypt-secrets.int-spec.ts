import { randomBytes } from 'node:crypto';
import { openDb, type Db, type Queryable } from '@tieline/platform/database';
import { createTestDatabase, type TestDatabase, readRows } from '@tieline/testing';
import { SecretBox, type SecretColumn } from '@tieline/signing';
import { reencryptSecrets } from './reencrypt-secrets.js';

const OLD_KEY = randomBytes(32);
const NEW_KEY = randomBytes(32);
const before = new SecretBox(OLD_KEY);
const rotated = new SecretBox(NEW_KEY, [OLD_KEY]);
const afterwards = new SecretBox(NEW_KEY);

const HOOKS: SecretColumn = {
  table: 'sealed_hooks',
  keyColumns: ['space_id', 'number'],
  secretColumn: 'secret',
  aad: ({ space_id, number }) => `hook:${space_id}:${number}`,
};
const SPACE = '019ad735-8400-7000-8000-000000000001';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query(
    'CREATE TABLE sealed_hooks (space_id uuid, number bigint, secret bytea, PRIMARY KEY (space_id, number))',
  );
});

afterAll(async () => {
  await db?.close();
  await database?.drop();
});

beforeEach(async () => {
  await db.query('TRUNCATE sealed_hooks');
});

async function insert(count: number, box: SecretBox): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const sealed = numbers.map((number) => box.seal(`secret ${number}`, `hook:${SPACE}:${number}`));
  await db.query('INSERT INTO sealed_hooks SELECT $1, * FROM unnest($2::bigint[], $3::bytea[])', [
    SPACE,
    numbers,
    sealed,
  ]);
}

async function opened(box: SecretBox): Promise<string[]> {
  const rows = await readRows<{ number: number; secret: Buffer }>(
    db,
    'SELECT number, secret FROM sealed_hooks WHERE secret IS NOT NULL ORDER BY number',
  );
  return rows.map(({ number, secret }) => box.open(secret, `hook:${SPACE}:${number}`));
}

/** Runs `meddle` right before the n-th UPDATE, like a concurrent process. */
function meddling(nth: number, meddle: () => Promise<unknown>): Queryable {
  let updates = 0;
  return {
    async query(sql: string, params?: readonly unknown[]): Promise<unknown[]> {
      if (typeof sql === 'string' && sql.startsWith('UPDATE') && ++updates === nth) await meddle();
      return db.query(sql, params);
    },
  } as Queryable;
}

it('re-encrypts every value under the new key, over several batches', async () => {
  await insert(1234, before);
  const results = await reencryptSecrets(db, rotated, [HOOKS]);
  expect(results).toEqual([
    { table: 'sealed_hooks', secretColumn: 'secret', reencrypted: 1234, unreadable: 0 },
  ]);
  expect(await opened(afterwards)).toEqual(Array.from({ length: 1234 }, (_, index) => `secret ${index + 1}`));
});

it('skips values under the current key, and rows without a secret', async () => {
  await insert(3, rotated);
  await db.query('INSERT INTO sealed_hooks VALUES ($1, 99, NULL)', [SPACE]);
  const unchanged = await db.query('SELECT * FROM sealed_hooks ORDER BY number');
  const [result] = await reencryptSecrets(db, rotated, [HOOKS]);
  expect(result).toMatchObject({ reencrypted: 0, unreadable: 0 });
  expect(await db.query('SELECT * FROM sealed_hooks ORDER BY number')).toEqual(unchanged);
});

it('continues after an interrupted run', async () => {
  await insert(1200, before);
  const cutShort = meddling(2, () => Promise.reject(new Error('killed')));
  await expect(reencryptSecrets(cutShort, rotated, [HOOKS])).rejects.toThrow('killed');
  const [result] = await reencryptSecrets(db, rotated, [HOOKS]);
  expect(result).toMatchObject({ reencrypted: 700, unreadable: 0 });
  expect(await opened(afterwards)).toHaveLength(1200);
});

it('never overwrites a secret that is rotated concurrently, even by a process with the old key', async () => {
  await insert(10, before);
  const purpose = `hook:${SPACE}:5`;
  const rotate = () =>
    db.query('UPDATE sealed_hooks SET secret = $1 WHERE number = 5', [before.seal('rotated', purpose)]);
  const [result] = await reencryptSecrets(meddling(1, rotate), rotated, [HOOKS]);
  expect(result).toMatchObject({ reencrypted: 10, unreadable: 0 });
  expect((await opened(afterwards))[4]).toBe('rotated');
});

it('skips a row that is deleted concurrently', async () => {
  await insert(10, before);
  const [result] = await reencryptSecrets(
    meddling(1, () => db.query('DELETE FROM sealed_hooks WHERE number = 5')),
    rotated,
    [HOOKS],
  );
  expect(result).toMatchObject({ reencrypted: 9, unreadable: 0 });
});

it('counts values that no known key opens, keeps them, and does the rest', async () => {
  await insert(3, before);
  const foreign = new SecretBox(randomBytes(32)).seal('lost', `hook:${SPACE}:2`);
  const misplaced = before.seal('secret 3', `hook:${SPACE}:1`);
  await db.query('UPDATE sealed_hooks SET secret = $1 WHERE number = 2', [foreign]);
  await db.query('UPDATE sealed_hooks SET secret = $1 WHERE number = 3', [misplaced]);
  const [result] = await reencryptSecrets(db, rotated, [HOOKS]);
  expect(result).toMatchObject({ reencrypted: 1, unreadable: 2 });
  const rows = await readRows<{ secret: Buffer }>(db, 'SELECT secret FROM sealed_hooks ORDER BY number');
  expect(rows[1]!.secret).toEqual(foreign);
  expect(rows[2]!.secret).toEqual(misplaced);
});

it('refuses columns that do not exist or are not bytea', async () => {
  await expect(reencryptSecrets(db, rotated, [{ ...HOOKS, secretColumn: 'number' }])).rejects.toThrow(
    'no bytea column',
  );
  await expect(reencryptSecrets(db, rotated, [{ ...HOOKS, keyColumns: ['nothing'] }])).rejects.toThrow(
    'no column nothing',
  );
});
