import { Injectable, Module } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { Loop } from '@tieline/background';
import { DatabaseModule } from '../database.module.js';
import { Db } from '../db.js';
import { analyzeGrown } from './analyze-grown.js';

/** So long at most plans are kept that were made for a table while it was empty, in milliseconds. */
const LOOK_MS = 500;

@Injectable()
class FreshStatistics implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly looking: Loop;

  constructor(db: Db) {
    this.looking = new Loop(async () => void (await analyzeGrown(db)), { everyMs: LOOK_MS });
  }

  onApplicationBootstrap(): void {
    this.looking.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.looking.stop();
  }
}

/** Keeps the server's statistics of growing tables fresh. For workers; several may do it at once. */
@Module({ imports: [DatabaseModule], providers: [FreshStatistics] })
export class StatisticsModule {}
