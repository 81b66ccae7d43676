import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { createHttpApp } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { PlatformModule } from '@tieline/platform/runtime';
import { Queue } from '@tieline/queue';
import { SpacesWorkerModule } from '../spaces-worker.module.js';
import { OLD_AUDIT_ENTRIES } from './old-audit-entries.processor.js';

@Module({})
class RootModule {}

test('deletes all expired entries and no others', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  await db.query(`INSERT INTO spaces (id, name) VALUES ('0190d5e0-0000-7000-8000-000000000001', 'Acme')`);
  await db.query(`INSERT INTO audit_log (space_id, id, actor_type, action, object_type, object_id, created_at)
    SELECT '0190d5e0-0000-7000-8000-000000000001', gen_random_uuid(), 'system', action, 'bot', gen_random_uuid(), now() - interval '1 day' * days
      FROM (SELECT 'old' AS action, 30.1 AS days FROM generate_series(1, 5001) UNION ALL SELECT 'young', 29.9) e`);
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: await testRedisUrl(),
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    AUDIT_LOG_RETENTION_DAYS: '30',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), SpacesWorkerModule],
  };
  const worker = await createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
  await eventually(() => worker.get(Queue).wake(OLD_AUDIT_ENTRIES));
  await eventually(async () =>
    expect(await db.query('SELECT action FROM audit_log')).toEqual([{ action: 'young' }]),
  );
  await worker.close();
  await db.close();
  await database.drop();
});
