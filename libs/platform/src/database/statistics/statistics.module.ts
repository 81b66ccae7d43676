import { Inject, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { DatabaseModule } from '../database.module.js';
import { Db } from '../db.js';
import { DueChecks } from '../due-checks.js';
import { analyzeGrown } from './analyze-grown.js';
import { TABLES_HAVE_GROWN } from './statistics.statements.js';

/** Repeated failures are reported once in this time. */
const TELL_MS = 60_000;

/** Called with the reason why tables could not be analyzed. */
export type StatisticsFailed = (error: unknown) => void;
const FAILED = Symbol('told why tables could not be counted');

/**
 * Keeps the server's statistics of growing tables up to date. Plans made for an empty table are
 * kept no longer than the interval of {@link DueChecks}.
 */
@Injectable()
export class FreshStatistics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: Loop;
  private toldAt = -Infinity;

  constructor(
    db: Db,
    private readonly checks: DueChecks,
    @Inject(FAILED) private readonly failed: StatisticsFailed,
  ) {
    this.looking = new Loop(async () => void (await analyzeGrown(db)), {
      failed: (error) => this.tell(error),
    });
  }

  onApplicationBootstrap(): void {
    this.checks.register({ statement: TABLES_HAVE_GROWN }, (due) => {
      if (due) this.looking.wake();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looking.stop();
  }

  private tell(error: unknown): void {
    const now = performance.now();
    if (now - this.toldAt < TELL_MS) return;
    this.toldAt = now;
    this.failed(error);
  }
}

/**
 * Keeps the server's statistics of growing tables up to date. For workers; several can do it
 * concurrently.
 */
@Module({})
export class StatisticsModule {
  /**
   * @param failed called with the reason why tables could not be analyzed, at most once a minute
   */
  static of(failed: StatisticsFailed): DynamicModule {
    return {
      module: StatisticsModule,
      imports: [DatabaseModule],
      providers: [FreshStatistics, { provide: FAILED, useValue: failed }],
    };
  }
}
