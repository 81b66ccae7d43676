import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { newestFirst } from '@tieline/spaces';
import { @Noun@ } from './@noun-@.entity.js';

/** A page of the @nouns@ of a space, newest first. @throws 400 for a bad cursor */
export function list@Nouns@(db: Db, spaceId: string, page: PageQuery): Promise<Page<@Noun@>> {
  return newestFirst(page, (before, take) =>
    db.manager.find(@Noun@, { where: { ...before, spaceId }, order: { id: 'DESC' }, take }),
  );
}
