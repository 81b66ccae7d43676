import type { Db } from '@tieline/platform/database';
import type { Page, PageQuery } from '@tieline/platform/http';
import { AuditEntry } from './audit-entry.entity.js';
import { newestFirst } from '../resources/newest-first.js';

/** What was changed in a space, newest first. */
export function listAuditLog(db: Db, spaceId: string, page: PageQuery): Promise<Page<AuditEntry>> {
  return newestFirst(page, (before, take) =>
    db.manager.find(AuditEntry, { where: { ...before, spaceId }, order: { id: 'DESC' }, take }),
  );
}
