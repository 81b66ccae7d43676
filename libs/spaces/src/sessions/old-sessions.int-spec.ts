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
import { seedSpace } from '../testing/index.js';
import { OLD_SESSIONS } from './old-sessions.processor.js';

@Module({})
class RootModule {}

test('deletes all expired sessions and invites and no others', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  const space = await seedSpace(db);
  await db.query(`INSERT INTO sessions (id, token_hash, ip, user_agent, expires_at)
    SELECT gen_random_uuid(), int4send(n), '::1', CASE WHEN n = 0 THEN 'open' ELSE 'expired' END, now() + interval '1 hour' * (1 - sign(n) * 2) FROM generate_series(0, 5001) n`);
  await space.person('member');
  await db.query(`INSERT INTO invites (space_id, user_id, token_hash, expires_at)
    SELECT space_id, id, token_hash, now() + interval '1 hour' * CASE role WHEN 'owner' THEN 1 ELSE -1 END FROM users`);
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: await testRedisUrl(),
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), SpacesWorkerModule],
  };
  const worker = await createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
  await eventually(() => worker.get(Queue).wake(OLD_SESSIONS));
  await eventually(async () => {
    expect(await db.query('SELECT user_agent FROM sessions')).toEqual([{ user_agent: 'open' }]);
    expect(await db.query('SELECT user_id FROM invites')).toEqual([{ user_id: space.owner.id }]);
  });
  await worker.close();
  await db.close();
  await database.drop();
});
