import { ADVISORY_LOCKS } from '@tieline/platform/background';
import { rotateDailyPartitions, runInTx, uuidFloor } from '@tieline/platform/database';
import type { DailyTable, Db } from '@tieline/platform/database';

/** Deliveries and attempts are readable for 30 days (decisions, section 4). */
export const LOG_RETENTION_DAYS = 30;

/** Log tables, partitioned by day by the time inside their UUIDv7. */
const BY_DAY = { floor: uuidFloor, retentionMs: LOG_RETENTION_DAYS * 86_400_000 };
const TABLES: DailyTable[] = [
  { ...BY_DAY, name: 'delivery_payloads', column: 'id' },
  { ...BY_DAY, name: 'deliveries', column: 'id', storage: 'fillfactor = 80' },
  { ...BY_DAY, name: 'delivery_attempts', column: 'delivery_id' },
];

/** Makes the partitions of today and the next days, and drops those whose whole day is out of retention. */
export async function rotatePartitions(db: Db, now = new Date()): Promise<void> {
  await runInTx(db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.deliveryPartitions]);
    for (const table of TABLES) await rotateDailyPartitions(tx, table, now);
  });
}
