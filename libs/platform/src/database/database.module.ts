import { Injectable, Module } from '@nestjs/common';
import type { OnApplicationShutdown } from '@nestjs/common';
import { PlatformSettings } from '../config/index.js';
import { Db, openDb } from './db.js';
import { DueChecks } from './due-checks.js';
import { discoverMigrations } from './schema/discover-migrations.js';
import { checkMigrations } from './schema/migrations.js';

/** Closes the pool as the last step of a shutdown. */
@Injectable()
class DbCloser implements OnApplicationShutdown {
  constructor(private readonly db: Db) {}

  async onApplicationShutdown(): Promise<void> {
    await this.db.close();
  }
}

/**
 * Provides {@link Db} and {@link DueChecks} to the whole process. The start fails when migrations
 * are missing or have drifted.
 */
@Module({
  providers: [
    {
      provide: Db,
      inject: [PlatformSettings],
      useFactory: async (settings: PlatformSettings): Promise<Db> => {
        const db = await openDb({ databaseUrl: settings.databaseUrl, poolMax: settings.databasePoolMax });
        await checkMigrations(db, await discoverMigrations());
        return db;
      },
    },
    DbCloser,
    DueChecks,
  ],
  exports: [Db, DueChecks],
})
export class DatabaseModule {}
