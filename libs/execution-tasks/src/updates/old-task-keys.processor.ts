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
 * Forgets the keys of changes that were accepted over TASK_KEY_RETENTION_DAYS ago. A repeat that
 * comes later is 409 and changes nothing: what it repeats names a sequence that the task has left
 * behind.
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
