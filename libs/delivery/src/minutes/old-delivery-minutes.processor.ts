import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DROP_OLD_MINUTES } from './minutes.statements.js';

export const OLD_MINUTES = 'old-delivery-minutes';
const LOOK_MS = 600_000;
/** Twice the period that can be queried. */
const KEPT_MS = 7_200_000;
const STEP = 5000;

/** Deletes minutes of deliveries that can no longer be queried. */
@Processor(OLD_MINUTES, DUTY_OPTIONS)
export class OldMinutesProcessor extends Duty {
  override readonly everyMs = LOOK_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    const before = new Date(Date.now() - KEPT_MS);
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(DROP_OLD_MINUTES, [before, STEP])).length;
  }
}
