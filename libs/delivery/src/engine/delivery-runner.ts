import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Db } from '@tieline/platform/database';
import { Queue } from '@tieline/queue';
import { DeliveryLanes } from './lanes/delivery-lanes.js';
import { DeliverySweeper } from './claims/delivery-sweeper.js';
import { DeliveryWakeups } from './claims/delivery-wakeups.module.js';
import { DeliveryMinutes } from '../minutes/delivery-minutes.js';
import { LeaseOwner } from './claims/lease-owner.js';
import { AUTO_DISABLE } from './results/auto-disable.processor.js';
import { EXHAUSTED_TARGETS } from './results/count-dead-letters.js';

/**
 * Wakes running lanes and sweeps during the worker's lifetime. Kinds register in `onModuleInit`.
 */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly wakeups: DeliveryWakeups,
    private readonly lanes: DeliveryLanes,
    private readonly sweeper: DeliverySweeper,
    private readonly owner: LeaseOwner,
    private readonly queue: Queue,
    private readonly minutes: DeliveryMinutes,
  ) {}

  onApplicationBootstrap(): void {
    this.wakeups.attend(this.lanes);
    this.ends.push(
      this.wakeups.listen((work) => this.lanes.wake(work)),
      // If the queue is unavailable, the processor's next tick finds the mark.
      this.db.onSignal(EXHAUSTED_TARGETS, () => void this.queue.wake(AUTO_DISABLE)),
    );
    this.sweeper.start();
    this.minutes.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.ends) end();
    await this.lanes.stop();
    await this.sweeper.stop();
    await this.minutes.stop();
    await this.owner.close();
  }
}
