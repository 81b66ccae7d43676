import { BullModule, getQueueToken } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule, ModuleRef } from '@nestjs/core';
import { doneWithin } from '@tieline/background';
import { PlatformSettings } from '@tieline/platform/config';
import { HealthChecks } from '@tieline/platform/observability';
import type { Queue as BullQueue } from 'bullmq';
import { bullOptions } from './bull-options.js';
import { CoalescingQueue } from './coalescing-queue.js';
import { DutyRunner } from './duties/duty-runner.js';
import { PostgresQueueServer } from './postgres-queue-server.js';
import { QueueObserver } from './queue-observer.js';
import { QueueServer } from './queue-server.js';
import { QueueMetrics } from './queue.metrics.js';
import { Queue } from './queue.js';
import { RedisQueueServer } from './redis-queue-server.js';

/**
 * How long the start waits for the server; after that the process starts anyway, but is not ready.
 */
const START_MS = 1_500;

/** The server of all queues: Redis when REDIS_URL is set, else Postgres. */
@Module({
  providers: [
    QueueMetrics,
    QueueObserver,
    {
      provide: QueueServer,
      inject: [PlatformSettings, QueueObserver],
      useFactory: ({ redisUrl, databaseUrl }: PlatformSettings, { failed }: QueueObserver): QueueServer =>
        redisUrl === undefined
          ? new PostgresQueueServer(databaseUrl, failed)
          : new RedisQueueServer(redisUrl, failed),
    },
  ],
  exports: [QueueServer, QueueObserver],
})
class QueueServerModule implements OnApplicationShutdown {
  constructor(private readonly server: QueueServer) {}

  async onApplicationShutdown(): Promise<void> {
    await this.server.close();
  }
}

const BULL = BullModule.forRootAsync({
  imports: [QueueServerModule],
  inject: [QueueServer],
  useFactory: bullOptions,
  extraOptions: { manualRegistration: true },
});

/**
 * Provides the {@link Queue} to every module, and `BullModule.registerQueue` with its server. Part
 * of readiness.
 */
@Module({
  imports: [BULL, QueueServerModule],
  providers: [
    {
      provide: Queue,
      inject: [QueueServer, ModuleRef, QueueObserver],
      useFactory: (server: QueueServer, modules: ModuleRef, observer: QueueObserver): Queue =>
        new CoalescingQueue(
          server,
          (name) => modules.get<BullQueue>(getQueueToken(name), { strict: false }),
          observer,
        ),
    },
  ],
  exports: [Queue],
})
export class QueueModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly queue: Queue,
    private readonly server: QueueServer,
    checks: HealthChecks,
  ) {
    checks.register('queue', 'degrades', () => queue.check());
  }

  async onApplicationBootstrap(): Promise<void> {
    await doneWithin(this.server.reached, START_MS);
  }

  onApplicationShutdown(): void {
    if (this.queue instanceof CoalescingQueue) this.queue.close();
  }
}

/**
 * In workers, besides {@link QueueModule}: runs the processors that the app's modules provide, from
 * `onApplicationBootstrap` until the shutdown begins.
 */
@Module({
  // Without a queue, it only brings what registers processors.
  imports: [QueueModule, QueueServerModule, DiscoveryModule, BullModule.registerQueue()],
  providers: [DutyRunner],
  exports: [DutyRunner],
})
export class QueueWorkerModule {}
