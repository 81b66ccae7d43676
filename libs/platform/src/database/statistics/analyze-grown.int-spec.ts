import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import pg from 'pg';
import { openDb } from '../db.js';
import type { Db } from '../db.js';
import { DueChecks } from '../due-checks.js';
import { analyzeGrown } from './analyze-grown.js';
import { FreshStatistics } from './statistics.module.js';

let database: TestDatabase;
let db: Db;
let other: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  other = new pg.Client({ connectionString: database.url });
  await other.connect();
});
afterAll(async () => {
  await other?.end();
  await db?.close();
  await database?.drop();
});
beforeEach(async () => {
  await db.query('DROP TABLE IF EXISTS "Odd name", line');
  await db.query('CREATE TABLE "Odd name" (id int PRIMARY KEY, done bool) WITH (autovacuum_enabled = off)');
  await db.query('CREATE TABLE line (id int PRIMARY KEY, n int) WITH (autovacuum_enabled = off)');
  await db.query('VACUUM ANALYZE');
  await analyzeGrown(db);
});

const fill = (table: string): Promise<unknown> =>
  db.query(
    `INSERT INTO ${table} SELECT n FROM generate_series((SELECT count(*) + 1 FROM ${table}), 20000) n`,
  );
/** Returns the plan that the session keeps. */
async function plan(): Promise<string> {
  const { rows } = await other.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE kept('{1,2}')`);
  return rows.map((row) => row['QUERY PLAN']).join(' ');
}

test('a session that planned on an empty table plans again once it has grown', async () => {
  await other.query('SET plan_cache_mode = force_generic_plan');
  await other.query(
    'PREPARE kept (int[]) AS UPDATE line SET n = 1 FROM unnest($1) AS r(id) WHERE line.id = r.id AND line.n IS NULL',
  );
  await plan();
  await fill('line');
  expect(await plan()).toMatch(/Scan on line|using line_pkey on line {2}\(cost=0.00/);
  expect(await analyzeGrown(db)).toEqual(['public.line']);
  expect(await plan()).toMatch(/Index Cond: \(id = /);
  await other.query('DEALLOCATE kept');
});

test('analyzes a table when it has doubled, and not before', async () => {
  await fill('"Odd name"');
  expect(await analyzeGrown(db)).toEqual(['public."Odd name"']);
  await db.query('INSERT INTO "Odd name" SELECT n FROM generate_series(20001, 30000) n');
  expect(await analyzeGrown(db)).toEqual([]);
  await db.query('INSERT INTO "Odd name" SELECT n FROM generate_series(30001, 60000) n');
  expect(await analyzeGrown(db)).toEqual(['public."Odd name"']);
});

test('samples a tenth of what autovacuum samples', async () => {
  await fill('line');
  await analyzeGrown(db);
  const bounds =
    "SELECT cardinality(histogram_bounds::text::int[]) AS n FROM pg_stats WHERE tablename = 'line' AND attname = 'id'";
  expect(await db.query(bounds)).toEqual([{ n: 11 }]);
  await other.query('ANALYZE line');
  expect(await db.query(bounds)).toEqual([{ n: 101 }]);
});

test('does not wait for a locked table', async () => {
  await fill('line');
  await fill('"Odd name"');
  await other.query('BEGIN; LOCK TABLE "Odd name" IN SHARE UPDATE EXCLUSIVE MODE');
  expect((await analyzeGrown(db)).sort()).toEqual(['public."Odd name"', 'public.line']);
  expect(await analyzeGrown(db)).toEqual(['public."Odd name"']);
  await other.query('ROLLBACK');
  await eventually(async () => expect(await analyzeGrown(db)).toEqual([]));
});

test('several workers can do it concurrently', async () => {
  await fill('line');
  await Promise.all(Array.from({ length: 4 }, () => analyzeGrown(db)));
  await eventually(async () => expect(await analyzeGrown(db)).toEqual([]));
});

/** Makes ANALYZE of a table fail until the function is dropped. */
async function spoil(table: string): Promise<void> {
  await db.query(
    'CREATE FUNCTION odd(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RETURN $1; END $$',
  );
  await db.query(`CREATE INDEX ON ${table} (odd(id))`);
  await fill(table);
  await db.query(
    `CREATE OR REPLACE FUNCTION odd(int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN RAISE 'odd'; END $$`,
  );
}

test('a table that cannot be analyzed delays no other', async () => {
  await spoil('"Odd name"');
  await fill('line');
  await expect(analyzeGrown(db)).rejects.toMatchObject({
    errors: [{ message: expect.stringContaining('odd') }],
  });
  await db.query('DROP FUNCTION odd CASCADE');
  expect(await analyzeGrown(db)).toEqual(['public."Odd name"']);
});

test('reports why a table cannot be analyzed, but not at every check', async () => {
  await spoil('"Odd name"');
  const told: unknown[] = [];
  const checks = new DueChecks(db);
  const statistics = new FreshStatistics(db, checks, (error) => told.push(error));
  statistics.onApplicationBootstrap();
  await eventually(() => expect(told).toHaveLength(1));
  await fill('line');
  await eventually(async () => {
    const [row] = await db.query("SELECT reltuples AS n FROM pg_class WHERE relname = 'line'");
    expect((row as { n: number }).n).toBeGreaterThan(1000);
  });
  await checks.beforeApplicationShutdown();
  await statistics.beforeApplicationShutdown();
  expect(told).toMatchObject([{ errors: [{ message: expect.stringContaining('odd') }] }]);
  await db.query('DROP FUNCTION odd CASCADE');
});
