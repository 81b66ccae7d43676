import { Processor } from '@nestjs/bullmq';
import { PartitionsDuty } from '@tieline/partitions';
import type { LockRetries } from '@tieline/partitions';
import { Db } from '@tieline/platform/database';
import { DUTY_OPTIONS } from '@tieline/queue';
import { rotateCallbackPartitions } from './callback-partitions.js';

export const CALLBACK_PARTITIONS = 'callback-partitions';

/** Rotates the partitions of the callback log. Without it, rows go to the default partition. */
@Processor(CALLBACK_PARTITIONS, DUTY_OPTIONS)
export class CallbackPartitionsProcessor extends PartitionsDuty {
  constructor(private readonly db: Db) {
    super();
  }

  protected override async rotate(retries: LockRetries): Promise<void> {
    await rotateCallbackPartitions(this.db, new Date(), retries);
  }
}
