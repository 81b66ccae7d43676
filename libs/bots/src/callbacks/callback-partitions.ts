import { ADVISORY_LOCKS } from '@tieline/background';
import { NO_RETRIES, rotateDailyPartitions, uuidFloor } from '@tieline/partitions';
import type { Db } from '@tieline/platform/database';
import { DROP_FAILURES } from './callbacks.statements.js';

/** Callbacks are readable for 30 days. */
const RETENTION_MS = 30 * 86_400_000;

/**
 * Creates the partitions of the next days, drops those out of retention, and deletes the failure
 * counts of deleted bots.
 */
export async function rotateCallbackPartitions(
  db: Db,
  now = new Date(),
  retries = NO_RETRIES,
): Promise<void> {
  await db.query(DROP_FAILURES);
  const table = { name: 'bot_callbacks', column: 'id', floor: uuidFloor, retentionMs: RETENTION_MS };
  await rotateDailyPartitions(db, table, ADVISORY_LOCKS.callbackPartitions, now, retries);
}
