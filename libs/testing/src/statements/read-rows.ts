import type { Queryable } from '@tieline/platform/database';

/**
 * Runs a test's own SQL and returns the rows as T, unchecked. Product code uses declared statements
 * instead.
 */
export async function readRows<T>(
  q: Pick<Queryable, 'query'>,
  sql: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  return (await q.query(sql, params)) as T[];
}
