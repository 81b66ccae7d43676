import { runInWorkerTx, unprepared } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { DeliveryKinds } from '../delivery-kinds.js';
import { FIND_LONG_OPEN, MARK_LONG_OPEN } from './results.statements.js';

/**
 * How long a breaker is open before admins are notified
 * (docs/outgoing-webhooks.md#circuit-breaker).
 */
const LONG_OPEN_MS = 15 * 60_000;

/**
 * Notifies the kinds, once per opening, of targets whose breaker has been open for 15 minutes.
 * Survives crashes of the process.
 * @returns the number of targets
 */
export async function notifyLongOpenBreakers(db: Db, kinds: DeliveryKinds): Promise<number> {
  const found = await db.query(unprepared(FIND_LONG_OPEN), [LONG_OPEN_MS]);
  for (const { targetId: id, spaceId, kind } of found)
    await runInWorkerTx(db, async (tx) => {
      const [marked] = await tx.query(MARK_LONG_OPEN, [id]);
      if (marked) await kinds.find(kind)?.staysUnreachable?.(tx, { spaceId, id });
    });
  return found.length;
}
