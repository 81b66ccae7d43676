import { killUnsent } from '@tieline/delivery';
import { runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { notFound } from '@tieline/platform/http';
import type { ActingAdmin } from '@tieline/spaces';
import { recordSubscriptionChange } from '../subscriptions/subscription-change.js';
import { Recovery } from './recovery.entity.js';
import { countEnded, deleteRecoveredEvents } from './recovery-progress.js';

/**
 * Cancels a running recovery. Pending deliveries are closed as dead. Deliveries being sent finish.
 * A finished recovery stays unchanged.
 * @throws 404
 */
export function cancelRecovery(db: Db, { spaceId, origin }: ActingAdmin, id: string): Promise<Recovery> {
  return runInTx(
    db,
    async (tx) => {
      const recovery = await tx.manager.findOne(Recovery, {
        where: { spaceId, id },
        lock: { mode: 'for_no_key_update' },
      });
      if (!recovery) throw notFound();
      if (recovery.state !== 'running') return recovery;
      await tx.manager.update(Recovery, { spaceId, id }, { state: 'cancelled' });
      const before = await countEnded(tx, { ...recovery, state: 'cancelled' });
      await killUnsent(tx, before.open, 'recovery cancelled');
      const after = await countEnded(tx, before.recovery);
      if (after.open.length === 0) await deleteRecoveredEvents(tx, recovery);
      const subject = { spaceId, id: recovery.webhookId };
      await recordSubscriptionChange(tx, subject, 'outgoing_webhook.recovery_cancelled', origin);
      return after.recovery;
    },
    { spaceId, place: id },
  );
}
