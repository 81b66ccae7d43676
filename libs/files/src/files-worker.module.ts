import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { MessagesModule } from '@tieline/conversations';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { QueueWorkerModule } from '@tieline/queue';
import { StorageModule } from '@tieline/storage';
import { ATTACHMENT_CHECKS, AttachmentChecksProcessor } from './attachments/attachment-checks.processor.js';
import { MessageAttachmentsModule } from './attachments/attachments-of-messages.js';
import { CheckAttachments } from './attachments/check-attachments.js';
import { FilesMetrics } from './files.metrics.js';
import { FILE_REMOVAL, FileRemovalProcessor } from './removal/file-removal.processor.js';
import { COUNT_WAITING } from './removal/removal.statements.js';

/** The worker's part of files: settles pending attachments and removes abandoned files. */
@Module({
  imports: [
    DatabaseModule,
    QueueWorkerModule,
    StorageModule,
    MessagesModule,
    MessageAttachmentsModule,
    BullModule.registerQueue({ name: ATTACHMENT_CHECKS }, { name: FILE_REMOVAL }),
  ],
  providers: [FilesMetrics, CheckAttachments, AttachmentChecksProcessor, FileRemovalProcessor],
})
export class FilesWorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly db: Db,
    private readonly metrics: FilesMetrics,
  ) {}

  onApplicationBootstrap(): void {
    this.metrics.onScrape(() => this.scrape());
  }

  private async scrape(): Promise<void> {
    const [row] = await this.db.query(COUNT_WAITING);
    if (row) this.metrics.waiting(row.pending, row.removals);
  }
}
