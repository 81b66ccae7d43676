import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createTestDatabase, eventually, testRedisUrl } from '@tieline/testing';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { openDb } from '@tieline/platform/database';
import { createHttpApp } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { PlatformModule } from '@tieline/platform/runtime';
import { Queue } from '@tieline/queue';
import { DeliveryModule } from '../delivery.module.js';
import { OLD_TARGETS } from './old-targets.processor.js';
import { COUNT_FAILURES } from './results.statements.js';

@Module({})
class RootModule {}

const id = (n: number): string => `0190d5e0-0000-7000-8000-${String(n).padStart(12, '0')}`;

test('health records of working receivers and of those without attempts for 30 days are deleted', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  await db.query(`INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until, failed_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'outgoing', 3, NULL::timestamptz, now() - interval '31 days' FROM generate_series(1, 5001)
    UNION ALL SELECT gen_random_uuid(), gen_random_uuid(), 'outgoing', 0, NULL, now()
    UNION ALL SELECT '${id(1)}', '${id(9)}', 'outgoing', 3, NULL, now() - interval '29 days'
    UNION ALL SELECT '${id(2)}', '${id(9)}', 'outgoing', 40, now() - interval '1 second', now() - interval '31 days'`);
  // It still fails, so its breaker stays open.
  await db.query(COUNT_FAILURES, {
    targetIds: [id(2)],
    spaceIds: [id(9)],
    kinds: ['outgoing'],
    failures: [1],
    fresh: [false],
    threshold: 10,
    openMs: 30_000,
  });
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: await testRedisUrl(),
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), DeliveryModule],
  };
  const worker = await createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
  await eventually(() => worker.get(Queue).wake(OLD_TARGETS));
  await eventually(async () =>
    expect(await db.query('SELECT target_id, failures FROM delivery_targets ORDER BY 1')).toEqual([
      { target_id: id(1), failures: 3 },
      { target_id: id(2), failures: 41 },
    ]),
  );
  await worker.close();
  await db.close();
  await database.drop();
});
