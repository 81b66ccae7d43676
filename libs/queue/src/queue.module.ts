import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import type { Logger } from 'pino';
import { PlatformSettings } from '@tieline/platform/config';
import { HealthChecks, LOGGER } from '@tieline/platform/observability';
import type { BullBackend } from './bull-backend.js';
import { BullWorkerHost } from './bull-worker-host.js';
import { CoalescingQueue } from './coalescing-queue.js';
import { postgresBackend } from './postgres-backend.js';
import { Queue, QueueWorkerHost } from './queue.js';
import type { QueueEvents } from './queue.js';
import { QueueMetrics } from './queue.metrics.js';
import { redisBackend } from './redis-backend.js';

/** How long the start waits for the server; after that the process starts all the same, and is not ready. */
const START_MS = 1_500;

function eventsOf(metrics: QueueMetrics, logger: Logger): Required<QueueEvents> {
  return {
    failed: (error) => {
      metrics.failed();
      logger.warn({ part: 'queue', err: error }, 'queue failed');
    },
    wakeFailed: (job) => metrics.wakeFailed(job),
    handled: (job, { durationMs, lagMs, error }) => {
      metrics.ran(job, error !== undefined, durationMs, lagMs);
      if (error !== undefined) logger.error({ part: 'queue', job, err: error }, 'job failed');
    },
  };
}

function backendOf(settings: PlatformSettings, events: Required<QueueEvents>): BullBackend {
  return settings.redisUrl === undefined
    ? postgresBackend(settings.databaseUrl, events.failed)
    : redisBackend(settings.redisUrl, events.failed);
}

async function openQueue(settings: PlatformSettings, metrics: QueueMetrics, logger: Logger): Promise<Queue> {
  const events = eventsOf(metrics, logger);
  const queue = new CoalescingQueue(backendOf(settings, events), events);
  await Promise.race([queue.opened(), sleep(START_MS, undefined, { ref: false })]);
  return queue;
}

function makeHost(settings: PlatformSettings, metrics: QueueMetrics, logger: Logger): QueueWorkerHost {
  const events = eventsOf(metrics, logger);
  return new BullWorkerHost(backendOf(settings, events), events);
}

/** Provides the {@link Queue} to every module: on Redis when REDIS_URL is set, else on Postgres. Part of readiness. */
@Module({
  providers: [
    QueueMetrics,
    { provide: Queue, inject: [PlatformSettings, QueueMetrics, LOGGER], useFactory: openQueue },
  ],
  exports: [Queue],
})
export class QueueModule implements OnApplicationShutdown {
  constructor(
    private readonly queue: Queue,
    checks: HealthChecks,
  ) {
    checks.register('queue', () => queue.check());
  }

  async onApplicationShutdown(): Promise<void> {
    await this.queue.close();
  }
}

/**
 * In workers, beside {@link QueueModule}: provides the {@link QueueWorkerHost}. Handlers are registered in
 * `onModuleInit`; jobs are taken from `onApplicationBootstrap` until the shutdown begins. Part of readiness.
 */
@Module({
  imports: [QueueModule],
  providers: [
    QueueMetrics,
    { provide: QueueWorkerHost, inject: [PlatformSettings, QueueMetrics, LOGGER], useFactory: makeHost },
  ],
  exports: [QueueWorkerHost],
})
export class QueueWorkerModule implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly host: QueueWorkerHost,
    private readonly queue: Queue,
    checks: HealthChecks,
  ) {
    checks.register('worker', () => {
      if (!host.running) throw new Error('no jobs are taken');
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const [job, { everyMs }] of this.host.jobs)
      if (everyMs !== undefined) this.queue.every(job, everyMs);
    await Promise.race([this.host.start(), sleep(START_MS, undefined, { ref: false })]);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.host.close();
  }
}
