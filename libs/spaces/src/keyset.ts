import { LessThan } from 'typeorm';
import type { FindOperator } from 'typeorm';
import { isUuid, pageOf } from '@tieline/platform/http';
import type { PageQuery } from '@tieline/platform/http';
import { invalidCursor } from './spaces.errors.js';

/** One page of a list, newest first. */
export interface Page<T> {
  rows: T[];
  nextCursor: string;
}

/**
 * Pages through rows whose UUIDv7 is their order, newest first; the cursor is the id of the last row shown.
 *
 * @param find reads `take` rows in descending order of id, those that `before` lets through
 * @throws 400 for a bad cursor
 */
export async function newestFirst<T extends { id: string }>(
  { limit, cursor }: PageQuery,
  find: (before: { id?: FindOperator<string> }, take: number) => Promise<T[]>,
): Promise<Page<T>> {
  if (cursor !== '' && !isUuid(cursor)) throw invalidCursor();
  const rows = await find(cursor === '' ? {} : { id: LessThan(cursor.toLowerCase()) }, limit + 1);
  return pageOf(rows, limit, (row) => row.id);
}
