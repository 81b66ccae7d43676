import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { AdminPrincipal } from '@tieline/platform/http';
import { Notice } from './notice.entity.js';
import { byUser, changesBetween, recordChange } from '../audit-log/record-change.js';

/**
 * Dismisses a notice for all admins of the caller's space. Repeating it changes nothing.
 * @throws 404 when it is unknown there
 */
export function dismissNotice(db: Db, caller: AdminPrincipal, noticeId: string, ip: string): Promise<void> {
  const { spaceId } = caller;
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
      await recordChange(tx, {
        ...byUser(caller, ip),
        spaceId,
        action: 'notice.dismissed',
        objectType: 'notice',
        objectId: noticeId,
        changes,
      });
    },
    { spaceId, place: noticeId },
  );
}
