import { Processor } from '@nestjs/bullmq';
import { Db, unprepared } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { AuditLogSettings } from '../spaces.settings.js';
import { DROP_OLD_ENTRIES } from './audit-log.statements.js';

export const OLD_AUDIT_ENTRIES = 'old-audit-entries';
const HOUR_MS = 3_600_000;
const STEP = 5000;

/** Deletes entries of the audit log after AUDIT_LOG_RETENTION_DAYS. */
@Processor(OLD_AUDIT_ENTRIES, DUTY_OPTIONS)
export class OldAuditEntriesProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: AuditLogSettings,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(unprepared(DROP_OLD_ENTRIES), [this.settings.retentionDays, STEP]))
        .length;
  }
}
