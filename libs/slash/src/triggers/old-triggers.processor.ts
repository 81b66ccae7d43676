import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { dropOrphanedCommands, dropTriggers, forgetPreviousSecrets } from './drop-triggers.js';

export const OLD_TRIGGERS = 'old-triggers';
const DROP_MS = 600_000;

/** Deletes expired triggers, expired secrets and commands of deleted bots. */
@Processor(OLD_TRIGGERS, DUTY_OPTIONS)
export class OldTriggersProcessor extends Duty {
  override readonly everyMs = DROP_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    await dropOrphanedCommands(this.db);
    await forgetPreviousSecrets(this.db);
    for (let dropped = 1; dropped > 0 && !signal.aborted;) dropped = await dropTriggers(this.db);
  }
}
