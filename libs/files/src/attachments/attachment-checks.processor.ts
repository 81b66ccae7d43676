import { Processor } from '@nestjs/bullmq';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { FilesMetrics } from '../files.metrics.js';
import { PENDING_ARE_DUE } from './attachments.statements.js';
import { CheckAttachments } from './check-attachments.js';

export const ATTACHMENT_CHECKS = 'attachment-checks';

/** Checks pending attachments of messages. */
@Processor(ATTACHMENT_CHECKS, DUTY_OPTIONS)
export class AttachmentChecksProcessor extends Duty {
  override readonly due = () => ({ statement: PENDING_ARE_DUE });

  constructor(
    private readonly checkAttachments: CheckAttachments,
    private readonly metrics: FilesMetrics,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let settled = 1; settled > 0 && !signal.aborted;) {
      const { attached, failed } = await this.checkAttachments.run();
      this.metrics.files('attached_late', attached);
      this.metrics.files('lost', failed);
      settled = attached + failed;
    }
  }
}
