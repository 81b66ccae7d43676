import { Processor } from '@nestjs/bullmq';
import { Db } from '@tieline/platform/database';
import { Duty, DUTY_OPTIONS } from '@tieline/queue';
import { PollSettings } from '../bots.settings.js';
import { rotatePollPartitions } from './poll-partitions.js';

export const POLL_PARTITIONS = 'poll-partitions';
const HOUR_MS = 3_600_000;

/** Sees to the partitions of the poll queue. Without it records go to the default partition. */
@Processor(POLL_PARTITIONS, DUTY_OPTIONS)
export class PollPartitionsProcessor extends Duty {
  override readonly everyMs = HOUR_MS;

  constructor(
    private readonly db: Db,
    private readonly settings: PollSettings,
  ) {
    super();
  }

  protected override async run(): Promise<void> {
    await rotatePollPartitions(this.db, this.settings.retentionHours);
  }
}
