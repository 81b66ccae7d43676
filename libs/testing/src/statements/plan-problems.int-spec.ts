import pg from 'pg';
import { statement } from '@tieline/platform/database';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { planProblems } from './plan-problems.js';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, application_name: 'tieline-tests' });
  await client.connect();
  await client.query(`CREATE TABLE things (id int PRIMARY KEY, state text, tags text[], raw bytea);
    INSERT INTO things SELECT n, CASE WHEN n % 2 = 0 THEN 'it''s on' ELSE 'off' END, '{}', '' FROM generate_series(1, 5000) n; ANALYZE things`);
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

const BY_ID = statement('things_by_id', 'SELECT id FROM things WHERE id = $1', { id: 'int4' });
const BY_STATE = statement(
  'things_by_state',
  'SELECT id FROM things WHERE state = $1 AND tags <> $2 LIMIT 1',
  {
    id: 'int4',
  },
);
const DROP = statement('things_drop', 'DELETE FROM things WHERE id < $1 AND raw = $2', {});

test('a statement that uses an index is no problem', async () => {
  expect(await planProblems(client, { statement: BY_ID, params: [17] })).toEqual([]);
});

test('rows read and discarded are found in both plans', async () => {
  const params = ["it's on", []];
  expect(await planProblems(client, { statement: BY_STATE, params })).toEqual([
    'generic plan: Seq Scan on things reads 5000 rows',
    'custom plan: Seq Scan on things reads 5000 rows',
  ]);
  expect(await planProblems(client, { statement: BY_STATE, params, mayRead: 5000 })).toEqual([]);
});

test('after some runs, the server may keep to custom plans because the generic one costs more', async () => {
  await client.query(`CREATE TABLE orders (id int, state text); CREATE INDEX ON orders (state);
    INSERT INTO orders SELECT n, CASE WHEN n = 1 THEN 'open' ELSE 'paid' END FROM generate_series(1, 5000) n; ANALYZE orders`);
  const OPEN = statement('orders_by_state', `SELECT id FROM orders WHERE $1 = 'all' OR state = $1`, {
    id: 'int4',
  });
  const planned = { statement: OPEN, params: ['open'] };
  expect(await planProblems(client, planned, 'generic')).toEqual([
    'generic plan: Seq Scan on orders reads 5000 rows',
  ]);
  expect(await planProblems(client, planned, 'auto')).toEqual([]);
});

test('blocks are counted, including those of called functions', async () => {
  await client.query(
    `CREATE FUNCTION all_things() RETURNS bigint LANGUAGE plpgsql STABLE AS 'BEGIN RETURN (SELECT count(*) FROM things); END'`,
  );
  const ALL = statement('things_all', 'SELECT all_things() AS n', { n: 'int8' });
  const planned = { statement: ALL, params: [], unprepared: true } as const;
  expect(await planProblems(client, { ...planned, mayTouch: 10 })).toEqual([
    expect.stringMatching(/^custom plan: it touches \d+ blocks$/),
  ]);
  expect(await planProblems(client, { ...planned, mayTouch: 10_000 })).toEqual([]);
});

test('changes are rolled back, and a statement that is never prepared has no generic plan', async () => {
  const params = [4000, Buffer.alloc(0)];
  expect(await planProblems(client, { statement: DROP, params, unprepared: true })).toEqual([
    'custom plan: Seq Scan on things reads 5000 rows',
  ]);
  expect((await client.query('SELECT FROM things')).rowCount).toBe(5000);
});

test('an index that does not lead to the rows is found, read as a whole or searched for each group', async () => {
  await client.query(`CREATE TABLE parts (kind int, category int, id int, PRIMARY KEY (kind, id));
    INSERT INTO parts SELECT n / 20, n / 2000, n FROM generate_series(1, 100000) n; ANALYZE parts`);
  const { rows } = await client.query<{ counts: boolean }>(
    `SELECT current_setting('server_version_num')::int >= 180000 AS counts`,
  );
  const found = (problem: string): unknown[] =>
    rows[0]!.counts ? [expect.stringMatching(`^custom plan: Index Only Scan on ${problem}$`)] : [];
  const kinds = statement('parts_kinds', 'SELECT kind FROM parts WHERE id = ANY ($1)', { kind: 'int4' });
  expect(await planProblems(client, { statement: kinds, params: [[7, 90_000]], unprepared: true })).toEqual(
    found('parts_pkey reads \\d+ blocks to find 2 rows'),
  );

  await client.query('CREATE INDEX parts_category ON parts (category, id)');
  const category = statement('parts_category', 'SELECT category FROM parts WHERE id = $1', {
    category: 'int4',
  });
  const planned = { statement: category, params: [90_000], unprepared: true } as const;
  expect(await planProblems(client, { ...planned, mayRead: 20 })).toEqual(
    found('parts_category searches \\d+ times'),
  );
  expect(await planProblems(client, { ...planned, mayRead: 100 })).toEqual([]);
});
