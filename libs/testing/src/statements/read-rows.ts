import type { Queryable } from '@tieline/platform/database';

/** Rows by a test's own SQL, as T by its word alone; what isn't a test declares a statement. */
export async function readRows<T>(
  q: Pick<Queryable, 'query'>,
  sql: string,
  params: readonly unknown[] = [],
): Promise<T[]> {
  return (await q.query(sql, params)) as T[];
}
