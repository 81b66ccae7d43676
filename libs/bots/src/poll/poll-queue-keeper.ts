import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Loop } from '@tieline/platform/background';
import { Db } from '@tieline/platform/database';
import { Metrics } from '@tieline/platform/observability';
import { PollSettings } from '../bots.settings.js';
import { rotatePollPartitions } from './poll-partitions.js';

const RUN_MS = 3_600_000;

/** In workers: at the start and every hour sees to the partitions of the poll queue. Without it records go to the default partition. */
@Injectable()
export class PollQueueKeeper implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly rotating: Loop;

  constructor(db: Db, settings: PollSettings, metrics: Metrics) {
    this.rotating = new Loop(() => rotatePollPartitions(db, settings.retentionHours), {
      everyMs: RUN_MS,
      failed: () => metrics.failure('poll_partitions'),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    this.rotating.start().wake();
    await this.rotating.drain();
  }

  async onModuleDestroy(): Promise<void> {
    await this.rotating.stop();
  }
}
