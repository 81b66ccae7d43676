import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createTestDatabase, eventually } from '@tieline/testing';
import { Environment, PlatformSettings } from '../config/index.js';
import { openDb } from '../database/index.js';
import { createHttpApp } from '../http/index.js';
import { createLogger, NestLogger } from '../observability/index.js';
import { PlatformModule } from '../runtime/index.js';
import { IdempotencyWorkerModule } from './index.js';

@Module({})
class RootModule {}

test('a worker that starts forgets the keys whose day is over, however many, and no other', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  await db.query(`INSERT INTO idempotency_keys (space_id, scope, key, fingerprint, created_at)
    SELECT gen_random_uuid(), 'test', 'old', ''::bytea, now() - interval '25 hours' FROM generate_series(1, 5001)
    UNION ALL SELECT gen_random_uuid(), 'test', 'young', ''::bytea, now() - interval '23 hours'`);
  const environment = new Environment({
    DATABASE_URL: database.url,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), IdempotencyWorkerModule],
  };
  const worker = await createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
  await eventually(async () =>
    expect(await db.query('SELECT key FROM idempotency_keys')).toEqual([{ key: 'young' }]),
  );
  await worker.close();
  await db.close();
  await database.drop();
});
