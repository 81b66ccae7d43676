import pg from 'pg';
import { createTestDatabase } from '../servers/test-database.js';
import type { TestDatabase } from '../servers/test-database.js';
import { planProblems } from './plan-problems.js';
import type { PlannedStatement } from './plan-problems.js';

const FILL_MS = 120_000;

/**
 * The test that hot statements cost the same however full the tables are: each is run on a filled schema, and no part of its plan
 * may look at many rows. In `src/plans.int-spec.ts`.
 *
 * @param fill SQL that fills the lib's tables (10^5 rows and more)
 */
export function describePlans(fill: string, statements: readonly PlannedStatement[]): void {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url, application_name: 'tieline-tests' });
    await client.connect();
    // Foreign keys and triggers are no part of what is measured.
    await client.query(
      `SET session_replication_role = replica; ${fill}; SET session_replication_role = origin`,
    );
    await client.query('VACUUM ANALYZE');
  }, FILL_MS);

  afterAll(async () => {
    await client?.end();
    await database?.drop();
  });

  test.each(statements.map((planned) => [planned.statement.name, planned] as const))(
    '%s looks at few rows, however many there are',
    async (_name, planned) => {
      expect(await planProblems(client, planned)).toEqual([]);
    },
    30_000,
  );
}
