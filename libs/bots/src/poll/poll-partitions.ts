import { ADVISORY_LOCKS } from '@tieline/platform/background';
import { rotateDailyPartitions, runInTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { idFloor } from './poll-ids.js';

const HOUR_MS = 3_600_000;

/** Makes the partitions of the next days and drops those out of retention; records are never deleted one by one. */
export async function rotatePollPartitions(db: Db, retentionHours: number, now = new Date()): Promise<void> {
  await runInTx(db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.pollPartitions]);
    await rotateDailyPartitions(
      tx,
      { name: 'poll_records', column: 'id', floor: idFloor, retentionMs: retentionHours * HOUR_MS },
      now,
    );
  });
}
