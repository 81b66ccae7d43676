import { ADVISORY_LOCKS } from '@tieline/background';
import { NO_RETRIES, rotateDailyPartitions } from '@tieline/partitions';
import type { Db } from '@tieline/platform/database';
import { idFloor } from './poll-ids.js';

const HOUR_MS = 3_600_000;

/**
 * Creates the partitions of the next days and drops those out of retention. Records are never
 * deleted one by one.
 */
export async function rotatePollPartitions(
  db: Db,
  retentionHours: number,
  now = new Date(),
  retries = NO_RETRIES,
): Promise<void> {
  const table = {
    name: 'poll_records',
    column: 'id',
    floor: idFloor,
    retentionMs: retentionHours * HOUR_MS,
  };
  await rotateDailyPartitions(db, table, ADVISORY_LOCKS.pollPartitions, now, retries);
}
