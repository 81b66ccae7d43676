import { Processor } from '@nestjs/bullmq';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { FileStorage } from './file-storage.js';

export const ABANDONED_UPLOADS = 'abandoned-uploads';
const HOUR_MS = 3_600_000;

/** Removes interrupted uploads. */
@Processor(ABANDONED_UPLOADS, DUTY_OPTIONS)
export class AbandonedUploadsProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly storage: FileStorage) {
    super();
  }

  protected override async run(): Promise<void> {
    await this.storage.removeAbandonedUploads();
  }
}
