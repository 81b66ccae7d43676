import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { LOG_RETENTION_DAYS } from '../delivery-partitions.js';
import { DROP_OLD_TARGETS } from './results.statements.js';

export const OLD_TARGETS = 'old-targets';
const HOUR_MS = 3_600_000;
const STEP = 5000;

/**
 * Deletes the health records of working receivers, and of those whose last failure is older than
 * the log.
 */
@Processor(OLD_TARGETS, DUTY_OPTIONS)
export class OldTargetsProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(DROP_OLD_TARGETS, [LOG_RETENTION_DAYS, STEP])).length;
  }
}
