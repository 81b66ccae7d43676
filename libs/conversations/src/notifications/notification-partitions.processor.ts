import { Processor } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { ADVISORY_LOCKS } from '@tieline/background';
import { rotateDailyPartitions, uuidFloor } from '@tieline/partitions';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { DROP_REJECTED } from './notification-jobs.statements.js';

export const NOTIFICATION_PARTITIONS = 'notification-partitions';
const HOUR_MS = 3_600_000;
const RETENTION_MS = 30 * 86_400_000;
const DROPPED_AT_ONCE = 5_000;

/** Sees to the partitions of notifications, and drops old rejected jobs. */
@Processor(NOTIFICATION_PARTITIONS, DUTY_OPTIONS)
export class NotificationPartitionsProcessor extends Duty implements OnApplicationBootstrap {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  /** Before this process writes the first row, as for the partitions of deliveries. */
  async onApplicationBootstrap(): Promise<void> {
    await this.run().catch(() => undefined);
  }

  protected override async run(): Promise<void> {
    const table = { name: 'notifications', column: 'id', floor: uuidFloor, retentionMs: RETENTION_MS };
    await rotateDailyPartitions(this.db, table, ADVISORY_LOCKS.notificationPartitions);
    while ((await this.db.query(DROP_REJECTED, [DROPPED_AT_ONCE])).length === DROPPED_AT_ONCE);
  }
}
