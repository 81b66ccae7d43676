import { LessThan } from 'typeorm';
import type { Db } from '@tieline/platform/database';
import { isUuid, pageOf } from '@tieline/platform/http';
import type { PageQuery } from '@tieline/platform/http';
import { @Noun@ } from './@noun-@.entity.js';
import { invalidCursor } from './@nouns@.errors.js';

/**
 * The @nouns@ of a space, newest first; the cursor is the id of the last one shown.
 * @throws 400 for a cursor that is none
 */
export async function list@Nouns@(
  db: Db,
  spaceId: string,
  { limit, cursor }: PageQuery,
): Promise<{ rows: @Noun@[]; nextCursor: string }> {
  if (cursor !== '' && !isUuid(cursor)) throw invalidCursor();
  const before = cursor === '' ? {} : { id: LessThan(cursor.toLowerCase()) };
  const rows = await db.manager.find(@Noun@, {
    where: { ...before, spaceId },
    order: { id: 'DESC' },
    take: limit + 1,
  });
  return pageOf(rows, limit, ({ id }) => id);
}
