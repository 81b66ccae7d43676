import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { Db } from '@tieline/platform/database';
import { createHttpApp, toApiError } from '@tieline/platform/http';
import { createLogger, NestLogger } from '@tieline/platform/observability';
import { PlatformModule } from '@tieline/platform/runtime';
import { createTestDatabase, eventually, RedisServer, testRedisUrl } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { RateLimiter, RateLimitModule } from './index.js';

@Module({})
class RootModule {}

const RULE = { key: 'bot:{018f2b6e-0000-7000-8000-000000000000}:messages:7', limit: 0, windowMs: 1_000 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function open(redisUrl?: string): Promise<NestFastifyApplication> {
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'api', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [PlatformModule.of(environment, logger), RateLimitModule],
  };
  return createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
}

/** Returns the parts that are down, although the process can serve. */
async function degraded(app: NestFastifyApplication): Promise<string[]> {
  const response = await app.inject({ url: '/health/ready' });
  expect(response.statusCode).toBe(200);
  const { info } = response.json<{ info: Record<string, { status: string }> }>();
  return Object.keys(info).filter((name) => info[name]?.status === 'degraded');
}

test('a started process is connected before the first request', async () => {
  const app = await open();
  const sql = `SELECT FROM pg_stat_activity WHERE application_name = 'tieline-rate-limit' AND datname = current_database()`;
  expect(await app.get(Db).query(sql)).toHaveLength(1);
  await app.close();
});

test('refusals are counted by the words of their key', async () => {
  const app = await open(await testRedisUrl());
  await eventually(async () => expect((await app.get(RateLimiter).consume([RULE])).allowed).toBe(false));
  expect((await app.inject({ url: '/metrics' })).body).toContain(
    'tieline_rate_limit_refusals_total{limit="bot:messages"} 1',
  );
  await app.close();
});

test('without its store the limiter answers 503, which is counted and not an internal error', async () => {
  const app = await open(await testRedisUrl());
  const limiter = app.get(RateLimiter);
  await limiter.close();
  const error: unknown = await limiter.consume([RULE]).catch((reason: unknown) => reason);
  expect(toApiError(error)).toMatchObject({ status: 503, text: 'service unavailable' });
  expect((await app.inject({ url: '/metrics' })).body).toContain('tieline_rate_limit_unavailable_total 1');
  await app.close();
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('with a Redis that goes down', () => {
  it('the process stays ready, reports what is down, and recovers', async () => {
    const server = await RedisServer.start();
    const app = await open(server.url);
    await eventually(async () => expect(await degraded(app)).toEqual([]));
    await server.stop();
    await eventually(async () => expect(await degraded(app)).toEqual(['rate-limiter']));
    await server.resume();
    await eventually(async () => expect(await degraded(app)).toEqual([]));
    await app.close();
    await server.stop();
  });

  it('the process starts without Redis and connects when it is up', async () => {
    const server = await RedisServer.start();
    await server.stop();
    const app = await open(server.url);
    expect(await degraded(app)).toEqual(['rate-limiter']);
    await server.resume();
    await eventually(async () => expect(await degraded(app)).toEqual([]));
    await app.close();
    await server.stop();
  });
});
