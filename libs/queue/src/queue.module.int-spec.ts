import { BullModule } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Environment, PlatformSettings } from '@tieline/platform/config';
import { openDb, statement } from '@tieline/platform/database';
import { createHttpApp } from '@tieline/platform/http';
import { createLogger, Metrics, NestLogger } from '@tieline/platform/observability';
import { PlatformModule } from '@tieline/platform/runtime';
import { createTestDatabase, eventually, RedisServer, testRedisUrl } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { DutyRunner } from './duties/duty-runner.js';
import { Queue, QueueWorkerModule } from './index.js';
import type { Duty } from './index.js';
import { dutyOn } from './testing/queue-rig.js';

@Module({})
class RootModule {}

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function open(
  redisUrl?: string,
  duty: Type<Duty> = dutyOn('nothing', () => Promise.resolve()),
): Promise<NestFastifyApplication> {
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
  });
  const logger = createLogger(new PlatformSettings(environment), 'worker', { write: () => undefined });
  const root: DynamicModule = {
    module: RootModule,
    imports: [
      PlatformModule.of(environment, logger),
      QueueWorkerModule,
      BullModule.registerQueue({ name: 'nothing' }),
    ],
    providers: [duty],
  };
  return createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
}

/** Returns which parts are up and which are degraded, although the process can serve. */
async function readiness(app: NestFastifyApplication): Promise<{ up: string[]; degraded: string[] }> {
  const response = await app.inject({ url: '/health/ready' });
  expect(response.statusCode).toBe(200);
  const parts = Object.entries(response.json<{ info: Record<string, { status: string }> }>().info);
  const named = (status: string): string[] =>
    parts.flatMap(([name, part]) => (part.status === status ? [name] : [])).sort();
  return { up: named('up'), degraded: named('degraded') };
}

const READY = { up: ['database', 'migrations', 'queue', 'worker'], degraded: [] };

test('the process is ready while it can send and take jobs, and not after the shutdown', async () => {
  const app = await open(await testRedisUrl());
  await eventually(async () => expect(await readiness(app)).toEqual(READY));
  expect(app.get(DutyRunner).running).toBe(true);
  await app.close();
  expect(app.get(DutyRunner).running).toBe(false);
  expect(await app.get(Queue).wake('nothing')).toBe(false);
});

test('the process creates the tables of the queue in a database without them', async () => {
  const admin = await openDb({ databaseUrl: database.url });
  await admin.query('DROP SCHEMA bullmq CASCADE');
  let runs = 0;
  const app = await open(
    undefined,
    dutyOn('nothing', () => Promise.resolve(void (runs += 1))),
  );
  await eventually(async () => expect(await readiness(app)).toEqual(READY));
  expect(await app.get(Queue).wake('nothing')).toBe(true);
  await eventually(() => expect(runs).toBeGreaterThan(0));
  await app.close();
  await admin.close();
});

test('a duty with a check runs when something is due, and looks every second', async () => {
  const redisUrl = await testRedisUrl();
  const admin = await openDb({ databaseUrl: database.url });
  await admin.query('CREATE TABLE chores (id int)');
  const due = statement('chores.check_due', 'SELECT EXISTS (SELECT 1 FROM chores) AS due', { due: 'bool' });
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
    await admin.query('DELETE FROM chores');
  };
  const app = await open(
    redisUrl,
    dutyOn('nothing', work, undefined, () => ({ statement: due })),
  );
  const lastRun = async (): Promise<string | undefined> =>
    /last_run_timestamp_seconds{queue="nothing"} (\S+)/.exec(await app.get(Metrics).text())?.[1];
  for (let looks = 0; looks < 2; looks += 1) {
    const before = await lastRun();
    await eventually(async () => expect(await lastRun()).not.toBe(before));
  }
  expect(runs).toBe(0);
  await admin.query('INSERT INTO chores VALUES (1)');
  await eventually(() => expect(runs).toBeGreaterThan(0));
  await app.close();
  await admin.close();
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('with a Redis that goes down', () => {
  it('the process stays ready, reports what is down, and recovers', async () => {
    const server = await RedisServer.start();
    const app = await open(server.url);
    await eventually(async () => expect(await readiness(app)).toEqual(READY));
    await server.stop();
    await eventually(async () => expect((await readiness(app)).degraded).toContain('queue'));
    expect((await app.inject({ url: '/health/live' })).statusCode).toBe(200);
    await server.resume();
    await eventually(async () => expect(await readiness(app)).toEqual(READY));
    await app.close();
    await server.stop();
  });

  it('the process starts without Redis and connects when it is up', async () => {
    const server = await RedisServer.start();
    await server.stop();
    const app = await open(server.url);
    expect((await readiness(app)).degraded).toContain('queue');
    await server.resume();
    await eventually(async () => expect(await readiness(app)).toEqual(READY));
    await app.close();
    await server.stop();
  });
});
