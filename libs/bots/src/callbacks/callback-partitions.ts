import { ADVISORY_LOCKS } from '@tieline/background';
import { AT_ONCE, rotateDailyPartitions, uuidFloor } from '@tieline/partitions';
import type { Db } from '@tieline/platform/database';
import { DROP_FAILURES } from './callbacks.statements.js';

/** Callbacks are readable for 30 days (decisions, 11.3). */
const RETENTION_MS = 30 * 86_400_000;

/**
 * Makes the partitions of the next days and drops those out of retention; forgets the failures of
 * deleted bots.
 */
export async function rotateCallbackPartitions(db: Db, now = new Date(), patience = AT_ONCE): Promise<void> {
  await db.query(DROP_FAILURES);
  const table = { name: 'bot_callbacks', column: 'id', floor: uuidFloor, retentionMs: RETENTION_MS };
  await rotateDailyPartitions(db, table, ADVISORY_LOCKS.callbackPartitions, now, patience);
}
