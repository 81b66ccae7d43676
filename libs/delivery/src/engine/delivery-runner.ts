import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Bus } from '@tieline/live';
import { Db } from '@tieline/platform/database';
import { Queue } from '@tieline/queue';
import { DeliveryLanes } from './claims/delivery-lanes.js';
import { DeliverySweeper } from './claims/delivery-sweeper.js';
import { DELIVERIES_CHANNEL } from './claims/delivery-wakeups.module.js';
import { LeaseOwner } from './claims/lease-owner.js';
import { DELIVERIES } from './plan-deliveries.js';
import { AUTO_DISABLE } from './results/auto-disable.processor.js';
import { EXHAUSTED_TARGETS } from './results/count-dead-letters.js';

/** For as long as the worker lives: tells lanes under way of new work, and sweeps. Kinds register in `onModuleInit`. */
@Injectable()
export class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
    private readonly lanes: DeliveryLanes,
    private readonly sweeper: DeliverySweeper,
    private readonly owner: LeaseOwner,
    private readonly queue: Queue,
  ) {}

  onApplicationBootstrap(): void {
    const wake = (): void => this.lanes.wake();
    this.ends.push(
      // Planned here: look at once, without the way over the bus.
      this.db.onSignal(DELIVERIES, wake),
      this.bus.subscribe(DELIVERIES_CHANNEL, wake),
      this.bus.onReconnect(wake),
      // Where the queue is away the processor's next tick finds the mark.
      this.db.onSignal(EXHAUSTED_TARGETS, () => void this.queue.wake(AUTO_DISABLE)),
    );
    this.sweeper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.ends) end();
    await this.lanes.stop();
    await this.sweeper.stop();
    await this.owner.close();
  }
}
