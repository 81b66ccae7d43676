import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import { Notice } from './notice.entity.js';
import type { ActingAdmin } from '../audit-log/acting.js';
import { changesBetween, recordChange } from '../audit-log/record-change.js';

/**
 * Dismisses a notice for all admins of the caller's space. Repeating it changes nothing.
 * @throws 404 when it is unknown there
 */
export function dismissNotice(db: Db, { spaceId, origin }: ActingAdmin, noticeId: string): Promise<void> {
  return runInTx(
    db,
    async (tx) => {
      const notice = await tx.manager.findOne(Notice, {
        where: { spaceId, id: noticeId },
        lock: { mode: 'for_no_key_update' },
      });
      if (!notice) throw notFound();
      if (notice.dismissedAt !== null) return;
      const dismissedAt = new Date();
      await tx.manager.update(Notice, { spaceId, id: noticeId }, { dismissedAt });
      const changes = changesBetween(null, { dismissed_at: dismissedAt.toISOString() });
      const record = { ...origin, spaceId, objectType: 'notice', objectId: noticeId, changes };
      await recordChange(tx, { ...record, action: 'notice.dismissed' });
    },
    { spaceId, place: noticeId },
  );
}
