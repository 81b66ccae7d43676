import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { TaskSettings } from '../execution-tasks.settings.js';
import { DROP_OLD_UPDATES } from '../execution-tasks.statements.js';

export const OLD_TASK_KEYS = 'old-task-keys';
const HOUR_MS = 3_600_000;
const STEP = 5000;

/**
 * Deletes keys of updates accepted more than TASK_KEY_RETENTION_DAYS ago. A later repeat is 409 and
 * changes nothing, because it names an old sequence.
 */
@Processor(OLD_TASK_KEYS, DUTY_OPTIONS)
export class OldTaskKeysProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: TaskSettings,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(DROP_OLD_UPDATES, [this.settings.keyRetentionDays, STEP])).length;
  }
}
