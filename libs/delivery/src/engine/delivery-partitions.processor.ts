import { Processor } from '@nestjs/bullmq';
import { PartitionsDuty } from '@tieline/partitions';
import type { LockRetries } from '@tieline/partitions';
import { Db } from '@tieline/platform/database';
import { DUTY_OPTIONS } from '@tieline/queue';
import { rotatePartitions } from './delivery-partitions.js';

export const DELIVERY_PARTITIONS = 'delivery-partitions';

/**
 * Maintains the partitions of the delivery log. Without them, rows go to the default partitions.
 */
@Processor(DELIVERY_PARTITIONS, DUTY_OPTIONS)
export class DeliveryPartitionsProcessor extends PartitionsDuty {
  constructor(private readonly db: Db) {
    super();
  }

  protected override async rotate(retries: LockRetries): Promise<void> {
    await rotatePartitions(this.db, new Date(), retries);
  }
}
