import type { OnApplicationBootstrap } from '@nestjs/common';
import { Duty } from '@tieline/queue';
import type { DutyRun } from '@tieline/queue';
import { NO_RETRIES } from './daily-partitions.js';
import type { LockRetries } from './daily-partitions.js';

const HOUR_MS = 3_600_000;
/** Half a minute in all: a table is rarely locked for longer, and the next run is an hour away. */
const BY_THE_CLOCK: LockRetries = { tries: 6, pauseMs: 1_000 };

/**
 * Rotates partitions every hour, and once before the process writes its first row. Without it rows
 * go to the default partition.
 */
export abstract class PartitionsDuty extends Duty implements OnApplicationBootstrap {
  override readonly everyMs = HOUR_MS;

  /**
   * An early run moves fewer rows out of the default partition. The first scheduled run reports
   * errors.
   */
  async onApplicationBootstrap(): Promise<void> {
    await this.rotate(NO_RETRIES).catch(() => undefined);
  }

  protected override run({ signal }: DutyRun): Promise<void> {
    return this.rotate({ ...BY_THE_CLOCK, signal });
  }

  protected abstract rotate(retries: LockRetries): Promise<void>;
}
