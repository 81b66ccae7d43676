import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import type { Statement } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { ApprovalSettings } from '../approvals.settings.js';
import { DROP_EXPIRED_RULES, DROP_RULES_OF_DELETED_BOTS } from '../rules/rules.statements.js';
import { DROP_OLD_APPROVALS } from './endings.statements.js';

export const OLD_APPROVALS = 'old-approvals';
const HOUR_MS = 3_600_000;
const STEP = 1000;

/**
 * Deletes approvals that ended more than APPROVAL_RETENTION_DAYS ago, expired rules and those of
 * deleted bots.
 */
@Processor(OLD_APPROVALS, DUTY_OPTIONS)
export class OldApprovalsProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: ApprovalSettings,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    await this.drop(signal, DROP_OLD_APPROVALS, this.settings.retentionDays, STEP);
    await this.drop(signal, DROP_EXPIRED_RULES, STEP);
    await this.drop(signal, DROP_RULES_OF_DELETED_BOTS, STEP);
  }

  private async drop(signal: AbortSignal, old: Statement, ...params: number[]): Promise<void> {
    for (let dropped = STEP; dropped === STEP && !signal.aborted;)
      dropped = (await this.db.query(old, params)).length;
  }
}
