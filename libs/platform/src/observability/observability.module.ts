import { Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import type { Logger } from 'pino';
import { checkMigrations, DatabaseModule, Db, discoverMigrations } from '../database/index.js';
import { HttpModule, TokenResolvers } from '../http/index.js';
import { HealthChecks } from './health-checks.js';
import { HealthController } from './health.controller.js';
import { IdleMemory } from './idle-memory.js';
import { LOGGER } from './logger.js';
import { MetricsController } from './metrics.controller.js';
import { Metrics } from './metrics.js';
import { ProcessMetrics } from './observability.metrics.js';
import { RequestObserver } from './request-observer.js';

const CHECK_MS = 2_000;

/**
 * Logs, metrics and health of a process: provides LOGGER, {@link Metrics}, {@link HealthChecks} to
 * every module, serves `/health/live`, `/health/ready` and `/metrics`, and observes every request.
 */
@Module({})
export class ObservabilityModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly db: Db,
    private readonly metrics: ProcessMetrics,
    private readonly checks: HealthChecks,
    private readonly tokens: TokenResolvers,
  ) {}

  /**
   * @param logger created by `createLogger` before the modules, so that it also gets their first
   * lines
   */
  static of(logger: Logger): DynamicModule {
    return {
      module: ObservabilityModule,
      // Created from the process's logger, so modules cannot import it themselves.
      global: true,
      imports: [DatabaseModule, HttpModule, TerminusModule.forRoot({ logger: false })],
      controllers: [HealthController, MetricsController],
      providers: [
        { provide: LOGGER, useValue: logger },
        Metrics,
        ProcessMetrics,
        HealthChecks,
        IdleMemory,
        RequestObserver,
      ],
      exports: [LOGGER, Metrics, HealthChecks],
    };
  }

  onApplicationBootstrap(): void {
    this.metrics.watchPool(this.db.pool);
    // Checks what requests use: a connection of the pool, and the token lookups.
    this.checks.register('database', 'stops', async () => {
      await Promise.all([this.db.query('SELECT 1', [], { timeoutMs: CHECK_MS }), this.tokens.check()]);
    });
    let migrated = false;
    this.checks.register('migrations', 'stops', async () => {
      if (migrated) return;
      await checkMigrations(this.db, await discoverMigrations());
      migrated = true;
    });
  }

  onModuleDestroy(): void {
    this.checks.leave();
  }
}
