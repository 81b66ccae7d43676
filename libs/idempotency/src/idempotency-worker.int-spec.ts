import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { createHttpApp } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { PlatformModule } from '@tieline/platform/runtime';
import { Queue } from '@tieline/queue';
import { IdempotencyWorkerModule } from './index.js';
import { OLD_IDEMPOTENCY_KEYS } from './old-idempotency-keys.processor.js';

@Module({})
class RootModule {}

test('the job deletes all expired keys and no others', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  await db.query(`INSERT INTO idempotency_keys (space_id, scope, key, fingerprint, created_at)
    SELECT gen_random_uuid(), 'test', 'old', ''::bytea, now() - interval '25 hours' FROM generate_series(1, 5001)
    UNION ALL SELECT gen_random_uuid(), 'test', 'young', ''::bytea, now() - interval '23 hours'`);
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: await testRedisUrl(),
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), IdempotencyWorkerModule],
  };
  const worker = await createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
  await eventually(() => worker.get(Queue).wake(OLD_IDEMPOTENCY_KEYS));
  await eventually(async () =>
    expect(await db.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]),
  );
  await worker.close();
  await db.close();
  await database.drop();
});
