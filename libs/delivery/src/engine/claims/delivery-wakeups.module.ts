import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { Loop } from '@tieline/platform/background';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { Queue, QueueModule } from '@tieline/queue';
import { DELIVERIES_QUEUE } from '../delivery-queues.js';
import { DELIVERIES } from '../plan-deliveries.js';

/** Bus channel that tells the workers whose lanes are under way to look. */
export const DELIVERIES_CHANNEL = 'deliveries';
/** However many commits there are, the queue is woken at most this often. */
const WAKE_EVERY_MS = 250;

/**
 * In every process that plans deliveries, test sends and redeliveries of the api among them. After each commit the bus tells the
 * lanes that are under way; the queue begins those that are not. The first commit wakes it at once, those that follow share the
 * next wake-up.
 */
@Module({
  imports: [DatabaseModule, BusModule, QueueModule, BullModule.registerQueue({ name: DELIVERIES_QUEUE })],
})
export class DeliveryWakeupsModule implements OnModuleDestroy {
  private readonly waking: Loop;
  private readonly end: () => void;

  constructor(db: Db, bus: Bus, queue: Queue) {
    this.waking = new Loop(() => queue.wake(DELIVERIES_QUEUE).then(() => false), { restMs: WAKE_EVERY_MS });
    this.end = db.onSignal(DELIVERIES, () => {
      bus.publish(DELIVERIES_CHANNEL, 1);
      this.waking.wake();
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.end();
    await this.waking.drain();
    await this.waking.stop();
  }
}
