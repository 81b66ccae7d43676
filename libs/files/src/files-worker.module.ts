import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { EditMessage, MessagesModule } from '@tieline/conversations';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { defineJob, QueueWorkerHost, QueueWorkerModule } from '@tieline/queue';
import { FileStorage, StorageModule } from '@tieline/storage';
import { MessageAttachmentsModule } from './attachments/attachments-of-messages.js';
import { checkAttachments } from './attachments/check-attachments.js';
import { FilesMetrics } from './files.metrics.js';
import { dropUnattached } from './removal/drop-files.js';
import { COUNT_WAITING } from './removal/removal.statements.js';
import { removeObjects } from './removal/remove-objects.js';

const CHECK_ATTACHMENTS = defineJob('files.check-attachments');
const REMOVE_FILES = defineJob('files.remove');
const PERIOD_MS = 5000;

/** The worker's part of files: settles pending attachments and removes abandoned files. */
@Module({
  imports: [DatabaseModule, QueueWorkerModule, StorageModule, MessagesModule, MessageAttachmentsModule],
  providers: [FilesMetrics],
})
export class FilesWorkerModule implements OnApplicationBootstrap {
  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly metrics: FilesMetrics,
    private readonly editMessage: EditMessage,
    jobs: QueueWorkerHost,
  ) {
    jobs.register(CHECK_ATTACHMENTS, ({ signal }) => this.checkAll(signal), { everyMs: PERIOD_MS });
    jobs.register(REMOVE_FILES, ({ signal }) => this.removeAll(signal), { everyMs: PERIOD_MS });
  }

  onApplicationBootstrap(): void {
    this.metrics.onScrape(() => this.scrape());
  }

  private async checkAll(signal: AbortSignal): Promise<void> {
    for (let settled = 1; settled > 0 && !signal.aborted;) {
      const { attached, failed } = await checkAttachments(this.db, this.storage, this.editMessage);
      this.metrics.files('attached_late', attached);
      this.metrics.files('lost', failed);
      settled = attached + failed;
    }
  }

  private async removeAll(signal: AbortSignal): Promise<void> {
    for (let dropped = 1; dropped > 0 && !signal.aborted;) {
      dropped = await dropUnattached(this.db);
      this.metrics.files('never_attached', dropped);
    }
    for (let removed = 1; removed > 0 && !signal.aborted;) {
      ({ removed } = await removeObjects(this.db, this.storage));
      this.metrics.files('removed', removed);
    }
  }

  private async scrape(): Promise<void> {
    const [row] = await this.db.query(COUNT_WAITING);
    if (row) this.metrics.waiting(row.pending, row.removals);
  }
}
