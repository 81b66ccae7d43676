import { Processor } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { rotatePartitions } from './delivery-partitions.js';

export const DELIVERY_PARTITIONS = 'delivery-partitions';
const HOUR_MS = 3_600_000;

/** Sees to the partitions of the delivery log. Without it rows go to the default partitions. */
@Processor(DELIVERY_PARTITIONS, DUTY_OPTIONS)
export class DeliveryPartitionsProcessor extends Duty implements OnApplicationBootstrap {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  /** The sooner, the fewer rows move out of the default partition. Whatever goes wrong here, the first run says. */
  async onApplicationBootstrap(): Promise<void> {
    await this.run().catch(() => undefined);
  }

  protected override async run(): Promise<void> {
    await rotatePartitions(this.db);
  }
}
