import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { EgressClient, EgressModule, EgressSettings } from '@tieline/egress';
import { Bus, BusModule } from '@tieline/live';
import { PlatformSettings } from '@tieline/platform/config';
import { DatabaseModule, Db, DueChecks } from '@tieline/platform/database';
import { LOGGER } from '@tieline/platform/observability';
import { Queue, QueueModule, QueueWorkerModule } from '@tieline/queue';
import { RateLimiter, RateLimitModule } from '@tieline/rate-limit';
import type { Logger } from 'pino';
import { DeliveryMetrics } from '../delivery.metrics.js';
import { DeliverySettings } from '../delivery.settings.js';
import { DeliveryClaims, leaseMs } from './claims/delivery-claims.js';
import { DeliveryLanes } from './lanes/delivery-lanes.js';
import { DeliverySweeper } from './claims/delivery-sweeper.js';
import { DeliveryWakeupsModule } from './claims/delivery-wakeups.module.js';
import { LeaseOwner } from './claims/lease-owner.js';
import { DeliveriesProcessor } from './deliveries.processor.js';
import { BREAKER, DeliveryEngine } from './delivery-engine.js';
import { DeliveryKinds } from './delivery-kinds.js';
import { DeliveryObserver } from './delivery-observer.js';
import { DELIVERY_PARTITIONS, DeliveryPartitionsProcessor } from './delivery-partitions.processor.js';
import { queueOf, RETRIES_QUEUE } from './delivery-queues.js';
import { DeliveryRunner } from './delivery-runner.js';
import { AUTO_DISABLE, AutoDisableProcessor } from './results/auto-disable.processor.js';
import { OLD_TARGETS, OldTargetsProcessor } from './results/old-targets.processor.js';
import { DeliveryMinutes } from '../minutes/delivery-minutes.js';
import { OLD_MINUTES, OldMinutesProcessor } from '../minutes/old-delivery-minutes.processor.js';
import { TRIALS } from '../trials/trials-channel.js';
import { RetriesProcessor } from './retries.processor.js';

/**
 * Provides {@link DeliveryKinds} for features with deliveries, and the processors, in workers.
 * Kinds register in `onModuleInit`.
 */
@Module({
  imports: [
    DatabaseModule,
    BusModule,
    EgressModule,
    RateLimitModule,
    QueueModule,
    QueueWorkerModule,
    DeliveryWakeupsModule,
    BullModule.registerQueue(
      { name: RETRIES_QUEUE },
      { name: DELIVERY_PARTITIONS },
      { name: AUTO_DISABLE },
      { name: OLD_TARGETS },
      { name: OLD_MINUTES },
    ),
  ],
  providers: [
    DeliveryMetrics,
    DeliveryKinds,
    {
      provide: DeliveryObserver,
      inject: [DeliveryMetrics, LOGGER],
      useFactory: (metrics: DeliveryMetrics, logger: Logger) => new DeliveryObserver(metrics, logger),
    },
    {
      provide: DeliveryMinutes,
      inject: [Db, DeliveryObserver],
      useFactory: (db: Db, observer: DeliveryObserver) =>
        new DeliveryMinutes(db, (error) => observer.failed(error)),
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
        EgressSettings,
        DeliverySettings,
        DeliveryObserver,
        DeliveryMinutes,
        Bus,
      ],
      useFactory: (
        db: Db,
        egress: EgressClient,
        limiter: RateLimiter,
        kinds: DeliveryKinds,
        { deliveryTimeoutMs }: EgressSettings,
        { maxAttempts, backoffInitialMs, backoffMaxMs }: DeliverySettings,
        observer: DeliveryObserver,
        minutes: DeliveryMinutes,
        bus: Bus,
      ) => {
        const backoff = { initialMs: backoffInitialMs, maxMs: backoffMaxMs };
        const attempts = { timeoutMs: deliveryTimeoutMs, maxAttempts, ...backoff };
        return new DeliveryEngine(
          db,
          egress,
          limiter,
          kinds,
          { attempts, breaker: BREAKER },
          {
            finished: (result) => {
              observer.finished(result);
              minutes.finished(result);
            },
            failed: (error) => observer.failed(error),
            trialEnded: (deliveryId) => bus.publish(TRIALS, deliveryId),
          },
        );
      },
    },
    {
      provide: DeliveryLanes,
      inject: [Db, LeaseOwner, DeliveryEngine, EgressSettings, DeliveryObserver, Queue],
      useFactory: (
        db: Db,
        owner: LeaseOwner,
        engine: DeliveryEngine,
        { deliveryTimeoutMs }: EgressSettings,
        observer: DeliveryObserver,
        queue: Queue,
      ) =>
        new DeliveryLanes(new DeliveryClaims(db, owner, leaseMs(deliveryTimeoutMs)), engine, {
          failed: (error) => observer.failed(error),
          // Resolves with false while the queue is unavailable. The sweeper then finds the
          // delivery.
          due: (lane, at) => void queue.wakeAt(queueOf(lane), at),
        }),
    },
    {
      provide: DeliverySweeper,
      inject: [Db, DueChecks, DeliveryLanes, Queue, DeliveryKinds, LeaseOwner, DeliveryObserver],
      useFactory: (
        db: Db,
        checks: DueChecks,
        lanes: DeliveryLanes,
        queue: Queue,
        kinds: DeliveryKinds,
        owner: LeaseOwner,
        observer: DeliveryObserver,
      ) => new DeliverySweeper(db, checks, lanes, queue, kinds, owner, (error) => observer.failed(error)),
    },
    DeliveryRunner,
    DeliveriesProcessor,
    RetriesProcessor,
    DeliveryPartitionsProcessor,
    AutoDisableProcessor,
    OldTargetsProcessor,
    OldMinutesProcessor,
  ],
  exports: [DeliveryKinds, DeliveryLanes],
})
export class DeliveryModule {}
