import { IsNull } from 'typeorm';
import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { newestFirst } from '../resources/newest-first.js';
import { Notice } from './notice.entity.js';

/** Returns the open notices of a space, newest first. */
export function listNotices(db: Db, spaceId: string, page: PageQuery): Promise<Page<Notice>> {
  return newestFirst(page, (before, take) =>
    db.manager.find(Notice, {
      where: { ...before, spaceId, dismissedAt: IsNull() },
      order: { id: 'DESC' },
      take,
    }),
  );
}
