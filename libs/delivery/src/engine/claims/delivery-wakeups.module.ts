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

/** Bus channel that wakes the running lanes of all workers. */
const CHANNEL = 'deliveries';
/** A message: the process that sent it, and the signal subjects of what it planned. */
interface Message {
  origin: string;
  planned: string[];
}
/** Minimum interval between wake-ups of the queue. */
const WAKE_EVERY_MS = 250;

/** The lanes of this process, which take newly planned deliveries first. */
export interface LocalLanes {
  /** Starts or wakes the lanes with new work. */
  start(work: PlannedWork | undefined): void;
  /** Whether the lanes run and have room, so that no other worker needs to help. */
  readonly canTakeAll: boolean;
}

/**
 * Wakes lanes and queue after commits that plan deliveries, in every process that does so. Test
 * sends and redeliveries of the api are included. A worker starts its own lanes. If they can't take
 * everything, and in the api, the bus wakes running lanes after each commit, and the queue starts
 * the others. The first commit wakes the queue immediately; later ones share the next wake-up.
 */
@Injectable()
export class DeliveryWakeups implements OnModuleDestroy {
  private readonly origin = randomUUID();
  private readonly waking: Loop;
  private readonly end: () => void;
  private local: LocalLanes | undefined;

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
    queue: Queue,
  ) {
    this.waking = new Loop(() => queue.wake(DELIVERIES_QUEUE).then(() => false), { restMs: WAKE_EVERY_MS });
    this.end = db.onSignal(DELIVERIES, (subjects) => {
      this.local?.start(parseSubjects(subjects));
      if (this.local?.canTakeAll) return;
      const message: Message = { origin: this.origin, planned: limitSubjects(subjects) };
      bus.publish(CHANNEL, message);
      this.waking.wake();
    });
  }

  /** Sets the lanes of this process. */
  attend(local: LocalLanes): void {
    this.local = local;
  }

  /**
   * Calls `listener` once for each commit with new deliveries.
   * @returns a function that unsubscribes
   */
  listen(listener: (work?: PlannedWork) => void): () => void {
    const ends = [
      // Deliveries planned in this process need no message on the bus.
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

/** Provides {@link DeliveryWakeups} from the start of the process. */
@Module({
  imports: [DatabaseModule, BusModule, QueueModule, BullModule.registerQueue({ name: DELIVERIES_QUEUE })],
  providers: [DeliveryWakeups],
  exports: [DeliveryWakeups],
})
export class DeliveryWakeupsModule {}
