import { runInTx, statement } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { raiseNotice } from '@tieline/spaces';
import type { Origin } from '@tieline/spaces';
import { recordIncomingChange } from '../admin/incoming-change.js';

/** Origin of what the product does by itself. */
const SYSTEM: Origin = { actorId: null, actorType: 'system', ip: null };

const COUNT = statement(
  'webhooks.count_incoming_failure',
  `UPDATE incoming_webhooks SET consecutive_failures = consecutive_failures + 1, is_active = consecutive_failures + 1 < $3,
     updated_at = CASE WHEN consecutive_failures + 1 < $3 THEN updated_at ELSE clock_timestamp() END
    WHERE space_id = $1 AND id = $2 AND is_active AND deleted_at IS NULL RETURNING name, is_active AS "isActive"`,
);
const RESET = statement(
  'webhooks.reset_incoming_failures',
  'UPDATE incoming_webhooks SET consecutive_failures = 0 WHERE space_id = $1 AND id = $2 AND is_active AND consecutive_failures > 0',
);

interface Subject {
  spaceId: string;
  id: string;
}

/**
 * Counts an authenticated request that ended in 400 or 5xx (decisions, section 4). At the threshold the webhook is switched off: it answers
 * 410, and admins get a notice.
 */
export async function countFailure(db: Db, subject: Subject, threshold: number): Promise<void> {
  const { spaceId, id } = subject;
  await runInTx(db, async (tx) => {
    const [webhook] = await tx.query<{ name: string; isActive: boolean }>(COUNT, [spaceId, id, threshold]);
    if (!webhook || webhook.isActive) return;
    await recordIncomingChange(tx, subject, 'incoming_webhook.auto_disabled', SYSTEM, {
      before: { isActive: true },
      after: { isActive: false },
    });
    await raiseNotice(tx, {
      spaceId,
      kind: 'incoming_webhook.auto_disabled',
      objectType: 'incoming_webhook',
      objectId: id,
      text: `Incoming webhook "${webhook.name}" was switched off after ${threshold} consecutive failed requests. Its request log says why; set it to active again when its sender works.`,
    });
  });
}

/** After a 2xx: what failed before no longer counts. */
export async function resetFailures(db: Db, { spaceId, id }: Subject): Promise<void> {
  await db.query(RESET, [spaceId, id]);
}
