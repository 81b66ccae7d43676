import { Processor } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { rotateCallbackPartitions } from './callback-partitions.js';

export const CALLBACK_PARTITIONS = 'callback-partitions';
const HOUR_MS = 3_600_000;

/** Sees to the partitions of the log of callbacks. Without it rows go to the default partition. */
@Processor(CALLBACK_PARTITIONS, DUTY_OPTIONS)
export class CallbackPartitionsProcessor extends Duty implements OnApplicationBootstrap {
  override readonly everyMs = HOUR_MS;

  constructor(private readonly db: Db) {
    super();
  }

  /** The sooner, the fewer rows move out of the default partition. Whatever goes wrong here, the first run says. */
  async onApplicationBootstrap(): Promise<void> {
    await this.run().catch(() => undefined);
  }

  protected override async run(): Promise<void> {
    await rotateCallbackPartitions(this.db);
  }
}
