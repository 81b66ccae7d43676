import { Processor } from '@nestjs/bullmq';
import { PartitionsDuty } from '@tieline/partitions';
import type { LockRetries } from '@tieline/partitions';
import { Db } from '@tieline/platform/database';
import { DUTY_OPTIONS } from '@tieline/queue';
import { PollSettings } from '../bots.settings.js';
import { forgetSockets } from '../socket/forget-sockets.js';
import { rotatePollPartitions } from './poll-partitions.js';

export const POLL_PARTITIONS = 'poll-partitions';

/**
 * Rotates the partitions of the poll queue and deletes data of ended sockets. Without it, records
 * go to the default partition.
 */
@Processor(POLL_PARTITIONS, DUTY_OPTIONS)
export class PollPartitionsProcessor extends PartitionsDuty {
  constructor(
    private readonly db: Db,
    private readonly settings: PollSettings,
  ) {
    super();
  }

  protected override async rotate(retries: LockRetries): Promise<void> {
    await rotatePollPartitions(this.db, this.settings.retentionHours, new Date(), retries);
    await forgetSockets(this.db, this.settings.retentionHours);
  }
}
