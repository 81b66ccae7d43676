import { LessThan } from 'typeorm';
import type { FindOperator } from 'typeorm';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';

/**
 * Pages through rows whose UUIDv7 is their order, newest first; the cursor is the id of the last
 * row shown.
 *
 * @param find reads `take` rows in descending order of id, those that `before` lets through
 * @throws 400 for a bad cursor
 */
export async function newestFirst<T extends { id: string }>(
  { limit, cursor }: PageQuery,
  find: (before: { id?: FindOperator<string> }, take: number) => Promise<T[]>,
): Promise<Page<T>> {
  const before = pageCursor(cursor);
  const rows = await find(before === '' ? {} : { id: LessThan(before) }, limit + 1);
  return pageOf(rows, limit, (row) => row.id);
}
