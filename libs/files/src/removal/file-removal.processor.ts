import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { FileStorage } from '@tieline/storage';
import { FilesMetrics } from '../files.metrics.js';
import { dropUnattached } from './drop-files.js';
import { REMOVALS_ARE_DUE } from './removal.statements.js';
import { removeObjects } from './remove-objects.js';

export const FILE_REMOVAL = 'file-removal';

/** Removes unused files: first their rows, then their bytes. */
@Processor(FILE_REMOVAL, DUTY_OPTIONS)
export class FileRemovalProcessor extends Duty {
  override readonly due = () => ({ statement: REMOVALS_ARE_DUE });

  constructor(
    private readonly db: Db,
    private readonly storage: FileStorage,
    private readonly metrics: FilesMetrics,
  ) {
    super();
  }

  protected override async run({ signal }: DutyRun): Promise<void> {
    for (let dropped = 1; dropped > 0 && !signal.aborted;) {
      dropped = await dropUnattached(this.db);
      this.metrics.files('never_attached', dropped);
    }
    for (let removed = 1; removed > 0 && !signal.aborted;) {
      ({ removed } = await removeObjects(this.db, this.storage));
      this.metrics.files('removed', removed);
    }
  }
}
