import { ADVISORY_LOCKS } from '@tieline/background';
import { NO_RETRIES, rotateDailyPartitions, uuidFloor } from '@tieline/partitions';
import type { DailyTable } from '@tieline/partitions';
import type { Db } from '@tieline/platform/database';

/** How long deliveries and attempts can be read. */
export const LOG_RETENTION_DAYS = 30;

/** Log tables are partitioned by day, by the time inside their UUIDv7. */
const BY_DAY = { floor: uuidFloor, retentionMs: LOG_RETENTION_DAYS * 86_400_000 };
const TABLES: DailyTable[] = [
  { ...BY_DAY, name: 'delivery_payloads', column: 'id' },
  { ...BY_DAY, name: 'deliveries', column: 'id', storage: 'fillfactor = 80' },
  { ...BY_DAY, name: 'delivery_attempts', column: 'delivery_id' },
];

/**
 * Creates the partitions of today and the next days, and drops those that are completely out of
 * retention.
 */
export async function rotatePartitions(db: Db, now = new Date(), retries = NO_RETRIES): Promise<void> {
  const failures: unknown[] = [];
  // A locked table must not keep the others from being rotated.
  for (const table of TABLES)
    await rotateDailyPartitions(db, table, ADVISORY_LOCKS.deliveryPartitions, now, retries).catch(
      (error: unknown) => failures.push(error),
    );
  if (failures.length > 0) throw failures[0];
}
