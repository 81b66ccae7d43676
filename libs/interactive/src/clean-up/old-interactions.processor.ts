import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { dropInteractions } from './drop-interactions.js';

export const OLD_INTERACTIONS = 'old-interactions';
const DROP_MS = 300_000;

/** Deletes expired interactions. */
@Processor(OLD_INTERACTIONS, DUTY_OPTIONS)
export class OldInteractionsProcessor extends Duty {
  override readonly everyMs = DROP_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = 1; dropped > 0 && !signal.aborted;) dropped = await dropInteractions(this.db);
  }
}
