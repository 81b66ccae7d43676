import { analyzeGrown, openDb } from '@tieline/platform/database';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { dominateTables } from './dominate-tables.js';
import { isPlannedOnce, keepPlan, keptPlanProblems, planProblems } from './plan-problems.js';
import type { PlannedStatement } from './plan-problems.js';

const FILL_MS = 120_000;
const ID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/;

/**
 * Defines the test that hot statements stay cheap as tables grow. Each runs on a filled schema, and
 * no node of its plan may read many rows. This also applies to plans that were made while the
 * tables were empty, after workers have analyzed the tables, to statistics of a sample that misses
 * rare rows, and to tables in which another tenant has nearly all rows. Call it in
 * `src/plans.int-spec.ts`.
 *
 * @param fill SQL that fills the lib's tables (10^5 rows and more)
 * @param spread columns of which no value can have many rows, as `table.column`
 */
export function describePlans(
  fill: string,
  statements: readonly PlannedStatement[],
  spread: readonly string[] = [],
): void {
  const numbered = statements.map((planned, n) => [planned.statement.name, planned, `kept_${n}`] as const);
  const prepared = numbered.filter(([, { unprepared }]) => unprepared !== true);
  let database: TestDatabase;
  let client: pg.Client;
  let early: pg.Client;
  /** Problems of plans made while the tables were empty. */
  const kept = new Map<string, string[]>();
  /** Problems of plans made when only 300 rows of each table were sampled. */
  const coarse = new Map<string, string[]>();
  const full = new Map<string, string[]>();
  /** Whether the server keeps one plan. */
  const keeps = new Map<string, boolean>();
  const dominated = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createTestDatabase();
    [client, early] = [await connect(database.url), await connect(database.url)];
    await client.query('VACUUM ANALYZE');
    for (const [, planned, name] of prepared) await keepPlan(early, planned, name);
    // Foreign keys and triggers are not part of the measurement.
    await client.query(
      `SET session_replication_role = replica; ${fill}; SET session_replication_role = origin`,
    );
    await analyzeAsWorkersDo(database.url);
    // Runs before the next line, which makes the server plan again.
    for (const [, planned, name] of prepared) kept.set(name, await problemsOfKept(early, planned, name));
    await client.query('SET default_statistics_target = 1; ANALYZE; RESET default_statistics_target');
    for (const [, planned, name] of numbered) coarse.set(name, await planProblems(client, planned));
    await client.query('VACUUM ANALYZE');
    for (const [, planned, name] of numbered) full.set(name, await planProblems(client, planned));
    for (const [, planned, name] of prepared) keeps.set(name, await isPlannedOnce(client, planned));
    await dominateTables(client, idsIn(statements), spread);
    for (const [, planned, name] of numbered)
      dominated.set(name, await planProblems(client, { ...planned, mayTouch: Infinity }, 'auto'));
  }, FILL_MS);

  afterAll(async () => {
    await client?.end();
    await early?.end();
    await database?.drop();
  });

  if (prepared.length > 0) {
    test.each(prepared)(
      '%s reads few rows with a plan made while the tables were empty',
      (_name, _planned, name) => {
        expect(kept.get(name)).toEqual([]);
      },
    );

    test.each(prepared)('%s is planned once', (_name, _planned, name) => {
      expect(keeps.get(name)).toBe(true);
    });
  }

  test.each(numbered)('%s reads few rows when statistics miss the rare ones', (_name, _planned, name) => {
    expect(coarse.get(name)).toEqual([]);
  });

  test.each(numbered)('%s reads few rows in full tables', (_name, _planned, name) => {
    expect(full.get(name)).toEqual([]);
  });

  test.each(numbered)(
    '%s reads few rows if another tenant has nearly all of them',
    (_name, _planned, name) => {
      expect(dominated.get(name)).toEqual([]);
    },
  );
}

function idsIn(statements: readonly PlannedStatement[]): string[] {
  const values = statements.flatMap(({ params }) => Object.values(params).flat() as unknown[]);
  const ids = values.map((value) => (Buffer.isBuffer(value) ? value.toString('hex') : String(value)));
  return [...new Set(ids.filter((id) => ID.test(id)))];
}

/** A failing statement is a separate problem. */
async function problemsOfKept(
  client: pg.ClientBase,
  planned: PlannedStatement,
  name: string,
): Promise<string[]> {
  return keptPlanProblems(client, planned, name).catch((error: unknown) => [String(error)]);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'tieline-tests' });
  await client.connect();
  return client;
}

/** Autovacuum has no user. Its VACUUM records the size of a table before its ANALYZE has run. */
const VACUUMING = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND usesysid IS NULL`;

async function analyzeAsWorkersDo(databaseUrl: string): Promise<void> {
  const db = await openDb({ databaseUrl });
  // A table that the server is vacuuming is skipped until a later round.
  const allCounted = async (): Promise<boolean> =>
    (await analyzeGrown(db)).length === 0 && (await db.pool.query(VACUUMING)).rows.length === 0;
  await eventually(allCounted, { timeoutMs: FILL_MS }).finally(() => db.close());
}
