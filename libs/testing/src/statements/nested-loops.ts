import pg from 'pg';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '../servers/test-database.js';

/**
 * Disabling these makes Postgres join only by nested loops, which run the inner side again for
 * every outer row.
 */
const OTHER_PLANS = ['hashjoin', 'mergejoin', 'hashagg', 'material', 'memoize', 'sort', 'incremental_sort'];

/**
 * Runs `work` on a separate database in sessions with nested-loop plans, which a planner without
 * statistics may choose.
 */
export async function withNestedLoops(work: (db: Db) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  try {
    await forbidOtherPlans(database.url, database.name);
    const db = await openDb({ databaseUrl: database.url, poolMax: 4 });
    await work(db).finally(() => db.close());
  } finally {
    await database.drop();
  }
}

async function forbidOtherPlans(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'tieline-tests' });
  await client.connect();
  try {
    for (const plan of OTHER_PLANS) await client.query(`ALTER DATABASE ${name} SET enable_${plan} = off`);
  } finally {
    await client.end();
  }
}

interface PlanNode {
  'Node Type': string;
  'Actual Loops': number;
  Plans?: PlanNode[];
}

/**
 * Runs a statement and rolls it back. @returns the parts of its plan that limit or lock rows and
 * ran more than once: each run may select other rows, so the statement would affect more than
 * intended
 */
export async function repeatedSelections(db: Db, text: string, values: unknown[]): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      values,
    );
    return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => repeated(plan)));
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

function repeated(node: PlanNode): string[] {
  const { 'Node Type': type, 'Actual Loops': loops, Plans: plans = [] } = node;
  const own = (type === 'Limit' || type === 'LockRows') && loops > 1 ? [`${type} ran ${loops} times`] : [];
  return [...own, ...plans.flatMap(repeated)];
}
