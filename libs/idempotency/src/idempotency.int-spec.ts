import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { dropOldKeys, findAnswer, fingerprint, once } from './once.js';

const SPACE = uuidv7();
let database: TestDatabase;
let db: Db;
let works = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
beforeEach(() => {
  works = 0;
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

function request(key: string, body: unknown, scope = 'test'): Promise<{ id: string }> {
  return runInWorkerTx(db, (tx) =>
    once(tx, { spaceId: SPACE, scope, key, fingerprint: fingerprint(body) }, async () => {
      works += 1;
      return { id: uuidv7() };
    }),
  );
}

test('a repeat returns the first result, whatever the order of the fields', async () => {
  const first = await request('k1', { a: 1, b: [1, { c: 2 }] });
  expect(await request('k1', { b: [1, { c: 2 }], a: 1 })).toEqual(first);
  expect(works).toBe(1);
});

test('twenty parallel requests with one key do the work once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => request('k2', { a: 1 })));
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  expect(works).toBe(1);
});

test('another body gets 409, and the keys of another owner are independent', async () => {
  await request('k3', { a: 1 });
  await expect(request('k3', { a: 2 })).rejects.toMatchObject({ status: 409 });
  await request('k3', { a: 2 }, 'somebody else');
  expect(works).toBe(2);
});

test('a stored answer is found for the same body only', async () => {
  const find = (body: unknown): Promise<object | undefined> =>
    findAnswer(db, { spaceId: SPACE, scope: 'test', key: 'k6', fingerprint: fingerprint(body) });
  expect(await find({ a: 1 })).toBeUndefined();
  const first = await request('k6', { a: 1 });
  expect(await find({ a: 1 })).toEqual(first);
  await expect(find({ a: 2 })).rejects.toMatchObject({ status: 409, code: 'idempotency_key_reused' });
});

test('a failed request does not use the key', async () => {
  await expect(
    runInWorkerTx(db, (tx) =>
      once(tx, { spaceId: SPACE, scope: 'test', key: 'k4', fingerprint: fingerprint(1) }, async () => {
        throw new Error('no');
      }),
    ),
  ).rejects.toThrow('no');
  await request('k4', 2);
  expect(works).toBe(1);
});

test('after 24 hours the key is free again and old keys are deleted', async () => {
  const first = await request('k5', { a: 1 });
  await db.query("UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'k5'");
  expect(await request('k5', { a: 2 })).not.toEqual(first);
  await db.query("UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'k5'");
  expect(await dropOldKeys(db)).toBe(1);
});

test.each(['', 'a b', 'ä', 'x'.repeat(129), 'a/b'])('the key "%s" is 400', async (key) => {
  await expect(request(key, 1)).rejects.toMatchObject({ status: 400, text: 'invalid idempotency key' });
});
