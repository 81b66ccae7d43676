import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { openDb } from './db.js';
import type { Db } from './db.js';
import { DueChecks } from './due-checks.js';
import type { DueCheck } from './due-checks.js';
import { statement } from './statement.js';

let database: TestDatabase;
let db: Db;
let checks: DueChecks;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  await db.query('CREATE TABLE work (id int)');
});
beforeEach(async () => {
  await db.query('TRUNCATE work');
  checks = new DueChecks(db);
});
afterEach(() => checks.beforeApplicationShutdown());
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const isThere = (id: number): DueCheck => ({
  statement: statement(
    'work.check_row',
    'SELECT EXISTS (SELECT 1 FROM work WHERE id = $1 OR id = $2) AS due',
    {
      due: 'bool',
    },
  ),
  values: () => [id, -id],
});
/** Registers a check and returns its results. */
function results(check: DueCheck): boolean[] {
  const seen: boolean[] = [];
  checks.register(check, (due) => seen.push(due));
  return seen;
}

test('reports for each check whether something is due, with its values, in one statement', async () => {
  await db.query('INSERT INTO work VALUES (2)');
  const [first, second, third] = [results(isThere(1)), results(isThere(2)), results(isThere(3))];
  const statements = countStatements();
  await eventually(() => {
    expect(third.length).toBeGreaterThan(0);
    // Between a statement and its results the numbers differ.
    expect(statements()).toBe(first.length);
  });
  expect([first[0], second[0], third[0]]).toEqual([false, true, false]);
  await db.query('INSERT INTO work VALUES (-3)');
  await eventually(() => expect(third.at(-1)).toBe(true));
});

test('if one check fails, all work is told to look', async () => {
  const missing = statement('nothing.check_row', 'SELECT EXISTS (SELECT 1 FROM nothing) AS due', {
    due: 'bool',
  });
  const [whole, broken] = [results(isThere(1)), results({ statement: missing })];
  await eventually(() => expect(broken.length).toBeGreaterThan(0));
  expect([whole[0], broken[0]]).toEqual([true, true]);
  await db.query('CREATE TABLE nothing (id int)');
  await eventually(() => expect([whole.at(-1), broken.at(-1)]).toEqual([false, false]));
});

/** Counts the statements of the pool from now on. */
function countStatements(): () => number {
  let count = 0;
  const query = db.pool.query.bind(db.pool) as (...args: unknown[]) => unknown;
  db.pool.query = ((...args: unknown[]) => {
    count += 1;
    return query(...args);
  }) as typeof db.pool.query;
  return () => count;
}
