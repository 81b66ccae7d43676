import { BullModule } from '@nestjs/bullmq';
import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Bus, BusModule } from '@tieline/live';
import { PlatformSettings } from '@tieline/platform/config';
import { LOGGER } from '@tieline/platform/observability';
import type { Logger } from 'pino';
import { Db, DatabaseModule } from '@tieline/platform/database';
import { EgressClient, EgressSettings, EgressModule } from '@tieline/egress';
import { Queue, QueueModule, QueueWorkerModule } from '@tieline/queue';
import { RateLimiter, RateLimitModule } from '@tieline/rate-limit';
import { DeliverySettings } from '../delivery.settings.js';
import { BREAKER, DeliveryEngine, LANE_LIMITS } from './delivery-engine.js';
import type { EngineEvents } from './delivery-engine.js';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { DeliveryKinds } from './delivery-kinds.js';
import { DeliveryObserver } from './delivery-observer.js';
import { DeliverySweeper } from './claims/delivery-sweeper.js';
import { LeaseOwner } from './claims/lease-owner.js';
import { DELIVERIES_CHANNEL } from './claims/delivery-wakeups.module.js';
import { DELIVERY_PARTITIONS, DeliveryPartitionsProcessor } from './delivery-partitions.processor.js';
import { DELIVERIES } from './plan-deliveries.js';
import { RETRIES, RetriesProcessor } from './retries.processor.js';

/** Runs engine and sweeper for as long as the worker lives. Kinds register in `onModuleInit`. */
@Injectable()
class DeliveryRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly db: Db,
    private readonly bus: Bus,
    private readonly engine: DeliveryEngine,
    private readonly sweeper: DeliverySweeper,
    private readonly owner: LeaseOwner,
  ) {}

  onApplicationBootstrap(): void {
    // Planned here: look at once, without the way over the bus.
    this.ends.push(this.db.onSignal(DELIVERIES, () => this.engine.wake()));
    this.ends.push(
      this.bus.subscribe(DELIVERIES_CHANNEL, () => this.engine.wake()),
      this.bus.onReconnect(() => this.engine.wake()),
    );
    this.sweeper.start();
    this.engine.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.ends) end();
    await this.engine.stop();
    await this.sweeper.stop();
    await this.owner.close();
  }
}

/** Deliveries under way are told both to the observer and, when they are due later, to the queue's timers. */
function engineEvents(observer: DeliveryObserver, queue: Queue): EngineEvents {
  return {
    finished: (result) => observer.finished(result),
    failed: (error) => observer.failed(error),
    // Resolves false while the queue is away; the sweeper finds the delivery all the same.
    due: (at) => void queue.wakeAt(RETRIES, at),
  };
}

/** In workers: provides {@link DeliveryKinds} for features that deliver, and runs the engine. */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    EgressModule,
    RateLimitModule,
    QueueModule,
    QueueWorkerModule,
    BullModule.registerQueue({ name: RETRIES }, { name: DELIVERY_PARTITIONS }),
  ],
  providers: [
    DeliveryMetrics,
    DeliveryKinds,
    {
      provide: DeliveryObserver,
      inject: [DeliveryMetrics, LOGGER],
      useFactory: (metrics: DeliveryMetrics, logger: Logger) => new DeliveryObserver(metrics, logger),
    },
    DeliverySettings,
    EgressSettings,
    {
      provide: LeaseOwner,
      inject: [PlatformSettings],
      useFactory: ({ databaseUrl }: PlatformSettings) => new LeaseOwner(databaseUrl),
    },
    {
      provide: DeliveryEngine,
      inject: [
        Db,
        EgressClient,
        RateLimiter,
        DeliveryKinds,
        LeaseOwner,
        EgressSettings,
        DeliverySettings,
        DeliveryObserver,
        Queue,
      ],
      useFactory: (
        db: Db,
        egress: EgressClient,
        limiter: RateLimiter,
        kinds: DeliveryKinds,
        owner: LeaseOwner,
        { deliveryTimeoutMs }: EgressSettings,
        { maxAttempts, backoffInitialMs, backoffMaxMs }: DeliverySettings,
        observer: DeliveryObserver,
        queue: Queue,
      ) => {
        const attempts = {
          timeoutMs: deliveryTimeoutMs,
          maxAttempts,
          initialMs: backoffInitialMs,
          maxMs: backoffMaxMs,
        };
        return new DeliveryEngine(
          db,
          egress,
          limiter,
          kinds,
          owner,
          { attempts, breaker: BREAKER, lanes: LANE_LIMITS },
          engineEvents(observer, queue),
        );
      },
    },
    {
      provide: DeliverySweeper,
      inject: [Db, DeliveryEngine, DeliveryKinds, LeaseOwner, DeliveryObserver, Queue],
      useFactory: (
        db: Db,
        engine: DeliveryEngine,
        kinds: DeliveryKinds,
        owner: LeaseOwner,
        observer: DeliveryObserver,
        queue: Queue,
      ) => new DeliverySweeper(db, engine, kinds, owner, engineEvents(observer, queue)),
    },
    DeliveryRunner,
    RetriesProcessor,
    DeliveryPartitionsProcessor,
  ],
  exports: [DeliveryKinds, DeliveryEngine],
})
export class DeliveryModule {}
