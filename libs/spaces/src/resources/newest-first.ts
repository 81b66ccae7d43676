import { LessThan } from 'typeorm';
import type { FindOperator } from 'typeorm';
import { pageCursor, pageOf } from '@tieline/platform/http';
import type { Page, PageQuery } from '@tieline/platform/http';

/**
 * Pages through rows that are ordered by their UUIDv7, newest first; the cursor is the id of the
 * last row shown.
 *
 * @param find reads `take` rows that match `before`, in descending order of id
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
