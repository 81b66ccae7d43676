import { Processor } from '@nestjs/bullmq';
import type { DueCheck } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { APPROVALS_ARE_DUE } from './endings.statements.js';
import { ExpireApprovals } from './expire-approvals.js';

export const APPROVAL_EXPIRY = 'approval-expiry';

/** Ends approvals whose time is up. */
@Processor(APPROVAL_EXPIRY, DUTY_OPTIONS)
export class ApprovalExpiryProcessor extends Duty {
  override readonly due = (): DueCheck => ({ statement: APPROVALS_ARE_DUE });

  constructor(private readonly expireApprovals: ExpireApprovals) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    const errors = await this.expireApprovals.run(signal);
    if (errors.length > 0)
      throw new Error(`${errors.length} approvals could not be ended`, { cause: errors[0] });
  }
}
