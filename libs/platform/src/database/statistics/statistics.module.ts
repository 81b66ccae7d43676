import { Inject, Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, DynamicModule, OnApplicationBootstrap } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { DatabaseModule } from '../database.module.js';
import { Db } from '../db.js';
import { analyzeGrown } from './analyze-grown.js';

/**
 * So long at most plans are kept that were made for a table while it was empty, in milliseconds.
 */
const LOOK_MS = 500;
/** What fails, fails at every look: it is told of once in so long. */
const TELL_MS = 60_000;

/** Is told why tables could not be counted. */
export type StatisticsFailed = (error: unknown) => void;
const FAILED = Symbol('told why tables could not be counted');

/** Keeps the server's statistics of growing tables fresh while the process lives. */
@Injectable()
export class FreshStatistics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: Loop;
  private toldAt = -Infinity;

  constructor(
    db: Db,
    @Inject(FAILED) private readonly failed: StatisticsFailed,
  ) {
    this.looking = new Loop(async () => void (await analyzeGrown(db)), {
      everyMs: LOOK_MS,
      failed: (error) => this.tell(error),
    });
  }

  onApplicationBootstrap(): void {
    this.looking.start();
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
 * Keeps the server's statistics of growing tables fresh. For workers; several may do it at once.
 */
@Module({})
export class StatisticsModule {
  /** @param failed is told why tables could not be counted, once a minute at most */
  static of(failed: StatisticsFailed): DynamicModule {
    return {
      module: StatisticsModule,
      imports: [DatabaseModule],
      providers: [FreshStatistics, { provide: FAILED, useValue: failed }],
    };
  }
}
