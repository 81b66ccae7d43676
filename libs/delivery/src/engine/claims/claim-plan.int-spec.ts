import { uuidv7 } from 'uuidv7';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { CLAIM, CLAIM_OF, GRANT_PROBES } from './claims.statements.js';
import { NIL } from './claim-deliveries.js';

const POSTPONED = 100_000;
const DUE = 40;
let database: TestDatabase;
let db: Db;

/**
 * Targets of two spaces: one with a hundred thousand postponed deliveries, one with some due
 * deliveries.
 */
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  const insert = `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts, postponed)
    SELECT gen_random_uuid(), $1, 'outgoing', $2, lane, now() + $3::interval, 8, true FROM generate_series(1, $4), (VALUES (0), (1)) AS l(lane)`;
  await db.query(insert, [uuidv7(), uuidv7(), '1 hour', POSTPONED / 2]);
  await db.query(insert, [uuidv7(), uuidv7(), '-1 minute', DUE]);
  await db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     SELECT DISTINCT target_id, space_id, kind, 10, now() - interval '1 second' FROM delivery_queue`,
  );
  await db.query('ANALYZE delivery_queue, delivery_targets');
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

interface PlanNode {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Returns the number of queue rows that the statement reads, with a generic or custom plan. */
async function rowsTouched(
  { name, text }: { name: string; text: string },
  types: string,
  params: string,
  cacheMode: string,
): Promise<number> {
  const plan = await runInWorkerTx(db, async (tx) => {
    await tx.query(`SET LOCAL plan_cache_mode = ${cacheMode}`);
    await tx.query(`PREPARE "${name}_explained" ${types} AS ${text}`);
    const explain = `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE "${name}_explained" (${params})`;
    const [row] = await readRows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(tx, explain);
    await tx.query(`DEALLOCATE "${name}_explained"`);
    return row?.['QUERY PLAN'][0].Plan as PlanNode;
  });
  return touched(plan);
}

function touched(node: PlanNode): number {
  const own =
    node['Relation Name'] === 'delivery_queue'
      ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
      : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + touched(child), own);
}

describe.each(['force_generic_plan', 'force_custom_plan'])(
  'with 100,000 postponed rows (%s)',
  (cacheMode) => {
    test.each([0, 1])('a claim reads only due deliveries (lane %i)', async (lane) => {
      await db.query('UPDATE delivery_targets SET open_until = NULL');
      const types = '(int, uuid, uuid[], int[], int, uuid[], int, int, int, uuid[], int[], int, uuid)';
      const params = `${lane}, '${NIL}', '{}', '{}', 16, '{}', 512, 1, 25000, '{}', '{}', 512, '${NIL}'`;
      expect(await rowsTouched(CLAIM, types, params, cacheMode)).toBeLessThan(5 * DUE);
    });

    test.each([0, 1])('a claim by target reads only due deliveries (lane %i)', async (lane) => {
      await db.query('UPDATE delivery_targets SET open_until = NULL');
      const types =
        '(int, uuid[], uuid[], int[], int, uuid[], int, int, int, uuid[], int[], int, uuid, uuid[])';
      const of = (column: string): string =>
        `(SELECT array_agg(${column} ORDER BY target_id) FROM delivery_targets)`;
      const [found] = await readRows<{ targets: string; spaces: string }>(
        db,
        `SELECT ${of('target_id')}::text AS targets, ${of('space_id')}::text AS spaces`,
      );
      const params = `${lane}, '${found?.targets}', '{}', '{}', 16, '{}', 512, 1, 25000, '{}', '{}', 512, '${NIL}', '${found?.spaces}'`;
      expect(await rowsTouched(CLAIM_OF, types, params, cacheMode)).toBeLessThan(5 * DUE);
    });

    test('granting probes reads only due deliveries', async () => {
      await db.query(`UPDATE delivery_targets SET open_until = now() - interval '1 second'`);
      expect(await rowsTouched(GRANT_PROBES, '(int)', '30000', cacheMode)).toBeLessThan(5 * DUE);
    });
  },
);
