import { analyzeGrown, openDb } from '@tieline/platform/database';
import pg from 'pg';
import { eventually } from '../eventually.js';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { keepPlan, keptPlanProblems, planProblems } from './plan-problems.js';
import type { PlannedStatement } from './plan-problems.js';

const FILL_MS = 120_000;

/**
 * The test that hot statements cost the same however full the tables are: each is run on a filled
 * schema, and no part of its plan may look at many rows; neither of one that was made while the
 * tables were empty, as sessions have them after a quiet hour, once workers have found that the
 * tables have grown. In `src/plans.int-spec.ts`.
 *
 * @param fill SQL that fills the lib's tables (10^5 rows and more)
 */
export function describePlans(fill: string, statements: readonly PlannedStatement[]): void {
  const numbered = statements.map((planned, n) => [planned.statement.name, planned, `kept_${n}`] as const);
  const prepared = numbered.filter(([, { unprepared }]) => unprepared !== true);
  let database: TestDatabase;
  let client: pg.Client;
  let early: pg.Client;
  /** What was wrong with plans made while the tables were empty. */
  const kept = new Map<string, string[]>();

  beforeAll(async () => {
    database = await createTestDatabase();
    [client, early] = [await connect(database.url), await connect(database.url)];
    await client.query('VACUUM ANALYZE');
    for (const [, planned, name] of prepared) await keepPlan(early, planned, name);
    // Foreign keys and triggers are no part of what is measured.
    await client.query(
      `SET session_replication_role = replica; ${fill}; SET session_replication_role = origin`,
    );
    await analyzeAsWorkersDo(database.url);
    // Before the next line, which makes the server plan anew.
    for (const [, planned, name] of prepared) kept.set(name, await problemsOfKept(early, planned, name));
    await client.query('VACUUM ANALYZE');
  }, FILL_MS);

  afterAll(async () => {
    await client?.end();
    await early?.end();
    await database?.drop();
  });

  if (prepared.length > 0)
    test.each(prepared)(
      '%s looks at few rows in a session that planned it while the tables were empty',
      (_name, _planned, name) => {
        expect(kept.get(name)).toEqual([]);
      },
    );

  test.each(numbered)(
    '%s looks at few rows, however many there are',
    async (_name, planned) => {
      expect(await planProblems(client, planned)).toEqual([]);
    },
    30_000,
  );
}

/** A statement that fails is a problem of its own. */
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

async function analyzeAsWorkersDo(databaseUrl: string): Promise<void> {
  const db = await openDb({ databaseUrl });
  // A table that the server is vacuuming is left out, and comes with a later look.
  const allCounted = async (): Promise<boolean> => (await analyzeGrown(db)).length === 0;
  await eventually(allCounted, { timeoutMs: FILL_MS }).finally(() => db.close());
}
