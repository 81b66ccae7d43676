import type { Db, Statement } from '@tieline/platform/database';
import { repeatedChoices, withNestedLoops } from './nested-loops.js';

/** A statement that takes some of the rows that wait. */
export interface Claim {
  statement: Statement;
  params: unknown[];
  /** SQL that makes more rows than are taken; several statements are separated by semicolons. */
  fill: string;
  /** A query for those that wait, such as `SELECT 1 FROM jobs WHERE attempts = 0`. */
  waiting: string;
  /** How many it takes with these parameters. */
  takes: number;
}

/**
 * The test of statements that take some of many rows: they take as many as they say, whatever the
 * planner makes of them, and answer exactly those where they answer at all. Beside
 * `describeStatements`.
 */
export function describeClaims(...claims: readonly Claim[]): void {
  test.each(claims.map((claim) => [claim.statement.name, claim] as const))(
    '%s takes what it says under a plan that nests',
    (_name, claim) => withNestedLoops((db) => check(db, claim)),
  );
}

async function check(db: Db, { statement, params, fill, waiting, takes }: Claim): Promise<void> {
  await db.query(fill);
  const before = (await db.query(waiting)).length;
  expect(before).toBeGreaterThan(takes);
  expect(await repeatedChoices(db, statement, params)).toEqual([]);
  const answered = await db.query(statement, params);
  expect((await db.query(waiting)).length).toBe(before - takes);
  if (Object.keys(statement.columns).length > 0) expect(answered).toHaveLength(takes);
}
