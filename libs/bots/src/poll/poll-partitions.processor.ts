import { Processor } from '@nestjs/bullmq';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { PollSettings } from '../bots.settings.js';
import { forgetSockets } from '../socket/forget-sockets.js';
import { rotatePollPartitions } from './poll-partitions.js';

export const POLL_PARTITIONS = 'poll-partitions';
const HOUR_MS = 3_600_000;

/** Sees to the partitions of the poll queue, and forgets what sockets left. Without it records go to the default partition. */
@Processor(POLL_PARTITIONS, DUTY_OPTIONS)
export class PollPartitionsProcessor extends Duty implements OnApplicationBootstrap {
  override readonly everyMs = HOUR_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: PollSettings,
  ) {
    super();
  }

  /** The sooner, the fewer rows move out of the default partition. Whatever goes wrong here, the first run says. */
  async onApplicationBootstrap(): Promise<void> {
    await this.run().catch(() => undefined);
  }

  protected override async run(): Promise<void> {
    await rotatePollPartitions(this.db, this.settings.retentionHours);
    await forgetSockets(this.db, this.settings.retentionHours);
  }
}
