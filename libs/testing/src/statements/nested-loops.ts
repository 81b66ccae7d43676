import pg from 'pg';
import { openDb } from '@tieline/platform/database';
import type { Db, Statement } from '@tieline/platform/database';
import { createTestDatabase } from '../servers/test-database.js';

/**
 * Without these Postgres joins by nested loops alone, and runs the inner side afresh for every row
 * of the outer one.
 */
const OTHER_PLANS = ['hashjoin', 'mergejoin', 'hashagg', 'material', 'memoize', 'sort', 'incremental_sort'];

/**
 * Runs `work` on a database of its own, in sessions whose plans nest: as a planner may choose that
 * knows no sizes yet.
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
 * Runs a statement and takes back what it did. @returns the parts of its plan that bound or lock
 * rows and ran more than once: each time they may choose others, so that more is taken than the
 * statement says
 */
export async function repeatedChoices(db: Db, { text }: Statement, params: unknown[]): Promise<string[]> {
  const client = await db.pool.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
      params,
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
