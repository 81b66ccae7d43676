import { Processor } from '@nestjs/bullmq';
import { ADVISORY_LOCKS } from '@tieline/background';
import { PartitionsDuty, rotateDailyPartitions, uuidFloor } from '@tieline/partitions';
import type { LockRetries } from '@tieline/partitions';
import { Db } from '@tieline/platform/database';
import { DUTY_OPTIONS } from '@tieline/queue';
import { DROP_REJECTED } from './jobs/notification-jobs.statements.js';

export const NOTIFICATION_PARTITIONS = 'notification-partitions';
const RETENTION_MS = 30 * 86_400_000;
const DROPPED_AT_ONCE = 5_000;

/** Rotates the partitions of notifications and deletes old rejected messages. */
@Processor(NOTIFICATION_PARTITIONS, DUTY_OPTIONS)
export class NotificationPartitionsProcessor extends PartitionsDuty {
  constructor(private readonly db: Db) {
    super();
  }

  protected override async rotate(retries: LockRetries): Promise<void> {
    const table = { name: 'notifications', column: 'id', floor: uuidFloor, retentionMs: RETENTION_MS };
    await rotateDailyPartitions(this.db, table, ADVISORY_LOCKS.notificationPartitions, new Date(), retries);
    while ((await this.db.query(DROP_REJECTED, [DROPPED_AT_ONCE])).length === DROPPED_AT_ONCE);
  }
}
