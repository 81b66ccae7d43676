import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { BY_SYSTEM, raiseNotice } from '@tieline/spaces';
import { recordIncomingChange } from '../admin/incoming-change.js';
import { COUNT_FAILURE, RESET_FAILURES } from './incoming-webhooks.statements.js';

interface Subject {
  spaceId: string;
  id: string;
}

/**
 * Counts an authenticated request that ended in 400 or 5xx. At the threshold, disables the webhook,
 * which then answers 410, and notifies the admins.
 */
export async function countFailure(db: Db, subject: Subject, threshold: number): Promise<void> {
  const { spaceId, id } = subject;
  await runInTx(
    db,
    async (tx) => {
      const [webhook] = await tx.query(COUNT_FAILURE, [spaceId, id, threshold]);
      if (!webhook || webhook.isActive) return;
      await recordIncomingChange(tx, subject, 'incoming_webhook.auto_disabled', BY_SYSTEM, {
        before: { isActive: true },
        after: { isActive: false },
      });
      await raiseNotice(tx, {
        spaceId,
        kind: 'incoming_webhook.auto_disabled',
        objectType: 'incoming_webhook',
        objectId: id,
        text: `Incoming webhook "${webhook.name}" was disabled after ${threshold} consecutive failed requests. Its request log shows the reasons. Enable it again once its sender is fixed.`,
      });
    },
    { spaceId, place: id },
  );
}

/** Resets the failure count after a 2xx. */
export async function resetFailures(db: Db, { spaceId, id }: Subject): Promise<void> {
  await db.query(RESET_FAILURES, [spaceId, id]);
}
