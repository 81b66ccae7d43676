import { randomUUID } from 'node:crypto';
import { BullModule } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import type { OnModuleDestroy } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { Loop } from '@tieline/background';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { Queue, QueueModule } from '@tieline/queue';
import { DELIVERIES_QUEUE } from '../delivery-queues.js';
import { DELIVERIES } from '../plan-deliveries.js';
import { parseSubjects, limitSubjects } from '../lanes/planned-targets.js';
import type { PlannedWork } from '../lanes/planned-targets.js';

/** Bus channel that tells the workers whose lanes are under way to look. */
const CHANNEL = 'deliveries';
/** What it carries: which process a message comes from, and what was planned there. */
interface Message {
  origin: string;
  planned: string[];
}
/** However many commits there are, the queue is woken at most this often. */
const WAKE_EVERY_MS = 250;

/**
 * In every process that plans deliveries, test sends and redeliveries of the api among them. After
 * each commit the bus tells the lanes that are under way; the queue begins those that are not. The
 * first commit wakes it at once, those that follow share the next wake-up.
 */
@Injectable()
export class DeliveryWakeups implements OnModuleDestroy {
  private readonly origin = randomUUID();
  private readonly waking: Loop;
  private readonly end: () => void;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
    queue: Queue,
  ) {
    this.waking = new Loop(() => queue.wake(DELIVERIES_QUEUE).then(() => false), { restMs: WAKE_EVERY_MS });
    this.end = db.onSignal(DELIVERIES, (subjects) => {
      const message: Message = { origin: this.origin, planned: limitSubjects(subjects) };
      bus.publish(CHANNEL, message);
      this.waking.wake();
    });
  }

  /**
   * Calls `listener` whenever there may be new deliveries, once for each commit. @returns a
   * function that ends it
   */
  listen(listener: (work?: PlannedWork) => void): () => void {
    const ends = [
      // Planned here: look at once, without the way over the bus.
      this.db.onSignal(DELIVERIES, (subjects) => listener(parseSubjects(subjects))),
      this.bus.subscribe(CHANNEL, (message) => {
        const { origin, planned = [] } = message as Partial<Message>;
        if (origin !== this.origin) listener(parseSubjects(planned));
      }),
      this.bus.onReconnect(() => listener()),
    ];
    return () => ends.forEach((end) => end());
  }

  async onModuleDestroy(): Promise<void> {
    this.end();
    await this.waking.drain();
    await this.waking.stop();
  }
}

/**
 * Provides {@link DeliveryWakeups}, which tells of planned deliveries from the start of the
 * process.
 */
@Module({
  imports: [DatabaseModule, BusModule, QueueModule, BullModule.registerQueue({ name: DELIVERIES_QUEUE })],
  providers: [DeliveryWakeups],
  exports: [DeliveryWakeups],
})
export class DeliveryWakeupsModule {}
