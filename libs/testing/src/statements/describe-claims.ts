import { orderedValues } from '@tieline/platform/database';
import type { AnyStatement, Db } from '@tieline/platform/database';
import { repeatedSelections, withNestedLoops } from './nested-loops.js';

/** A statement that claims some of the waiting rows. */
export interface Claim {
  statement: AnyStatement;
  /** An array, or an object for a statement with named parameters. */
  params: object;
  /** SQL that inserts more rows than are claimed; statements are separated by semicolons. */
  fill: string;
  /** A query for the waiting rows, such as `SELECT 1 FROM jobs WHERE attempts = 0`. */
  waiting: string;
  /** Number of rows it claims with these parameters. */
  takes: number;
}

/**
 * Defines the test of statements that claim some of many rows: they must claim the stated number
 * under any plan and, if they return rows, exactly the claimed ones. Use it next to
 * `describeStatements`.
 */
export function describeClaims(...claims: readonly Claim[]): void {
  test.each(claims.map((claim) => [claim.statement.name, claim] as const))(
    '%s claims the stated number of rows under nested-loop plans',
    (_name, claim) => withNestedLoops((db) => check(db, claim)),
  );
}

async function check(db: Db, { statement, params, fill, waiting, takes }: Claim): Promise<void> {
  await db.query(fill);
  const before = (await db.query(waiting)).length;
  expect(before).toBeGreaterThan(takes);
  const values = orderedValues(statement, params);
  expect(await repeatedSelections(db, statement.preparedText, values)).toEqual([]);
  const answered = await db.query(statement.preparedText, values);
  expect((await db.query(waiting)).length).toBe(before - takes);
  if (Object.keys(statement.columns).length > 0) expect(answered).toHaveLength(takes);
}
