import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { DROP_OLD_INVITES, DROP_OLD_SESSIONS } from './sessions.statements.js';

export const OLD_SESSIONS = 'old-sessions';
const HOUR_MS = 3_600_000;
const STEP = 5000;

/** Deletes expired sessions and invites. */
@Processor(OLD_SESSIONS, DUTY_OPTIONS)
export class OldSessionsProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (const drop of [DROP_OLD_SESSIONS, DROP_OLD_INVITES])
      for (let dropped = STEP; dropped === STEP && !signal.aborted;)
        dropped = (await this.db.query(drop, [STEP])).length;
  }
}
