import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { PollSettings } from '../bots.settings.js';
import { rotatePollPartitions } from './poll-partitions.js';

const RUN_MS = 3_600_000;

/** In workers: at the start and every hour sees to the partitions of the poll queue. Without it records go to the default partition. */
@Injectable()
export class PollQueueKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly db: Db,
    private readonly settings: PollSettings,
    private readonly metrics: Metrics,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.timer = setInterval(() => this.run(), RUN_MS).unref();
    this.run();
    await this.running;
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private run(): void {
    this.running ??= rotatePollPartitions(this.db, this.settings.retentionHours)
      .catch(() => this.metrics.failure('poll_partitions'))
      .finally(() => {
        this.running = undefined;
      });
  }
}
