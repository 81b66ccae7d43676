import { Processor } from '@nestjs/bullmq';
import { EditMessage } from '@tieline/conversations';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { FileStorage } from '@tieline/storage';
import { FilesMetrics } from '../files.metrics.js';
import { checkAttachments } from './check-attachments.js';

export const ATTACHMENT_CHECKS = 'attachment-checks';
const PERIOD_MS = 5000;

/** Checks pending attachments of messages. */
@Processor(ATTACHMENT_CHECKS, DUTY_OPTIONS)
export class AttachmentChecksProcessor extends Duty {
  override readonly everyMs = PERIOD_MS;

  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly metrics: FilesMetrics,
    private readonly editMessage: EditMessage,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let settled = 1; settled > 0 && !signal.aborted;) {
      const { attached, failed } = await checkAttachments(this.db, this.storage, this.editMessage);
      this.metrics.files('attached_late', attached);
      this.metrics.files('lost', failed);
      settled = attached + failed;
    }
  }
}
