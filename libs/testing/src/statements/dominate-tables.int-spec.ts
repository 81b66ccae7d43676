import pg from 'pg';
import { statement } from '@tieline/platform/database';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { dominateTables } from './dominate-tables.js';
import { planProblems } from './plan-problems.js';

const id = (n: number): string => `0190d5e0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
const ID = `('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
/** Two hundred targets with fifty jobs each. */
const TARGET = ID.replace('to_hex(n)', 'to_hex(n % 200)');
const ABSENT = id(999);

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url, application_name: 'tieline-tests' });
  await client.connect();
  await client.query(`CREATE TABLE jobs (id uuid PRIMARY KEY, target_id uuid, batch_id uuid, name text, at timestamptz);
    CREATE UNIQUE INDEX ON jobs (target_id, lower(name)) WHERE name IS NOT NULL;
    CREATE INDEX ON jobs (target_id, at);
    CREATE TABLE notes (id uuid REFERENCES jobs, text text);
    INSERT INTO jobs SELECT ${ID}, ${TARGET}, ${ID}, CASE WHEN n % 2 = 0 THEN 'n' || n END, now() FROM generate_series(1, 10000) n;
    INSERT INTO notes SELECT ${ID}, 'note' FROM generate_series(1, 10) n`);
  await client.query('VACUUM ANALYZE');
});

afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** A lookup for which a server that expects a match soon reads the table. */
const lookup = (order: string) => ({
  statement: statement('jobs.find', `SELECT id FROM jobs WHERE target_id = $1 ${order} LIMIT 1`, {
    id: 'uuid',
  }),
  params: [ABSENT],
});

test('even tables hide that a lookup reads all rows of others, dominated ones show it', async () => {
  const present = { ...lookup(''), params: [id(7)] };
  expect(await planProblems(client, present, 'auto')).toEqual([]);

  await dominateTables(client, [id(7)], ['jobs.batch_id']);

  expect(await planProblems(client, lookup(''), 'auto')).toEqual([
    expect.stringMatching(/^auto plan: Seq Scan on jobs reads 5\d{4} rows$/),
  ]);
  expect(await planProblems(client, lookup('ORDER BY at'), 'auto')).toEqual([]);

  const { rows } =
    await client.query(`SELECT target_id, count(*)::int AS jobs, count(DISTINCT batch_id)::int AS batches
    FROM jobs GROUP BY target_id ORDER BY jobs`);
  expect(rows).toEqual([
    { target_id: id(7), jobs: 50, batches: 50 },
    { target_id: expect.stringContaining('-8002-'), jobs: 49_998, batches: 49_998 },
  ]);
  expect((await client.query('SELECT FROM notes')).rowCount).toBe(10);
});
