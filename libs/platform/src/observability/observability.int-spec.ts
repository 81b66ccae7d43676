import { Controller, Get, Header, Module, Param } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestDatabase, eventually, RedisServer, testRedisUrl } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { ConfigModule, Environment, PlatformSettings } from '../config/index.js';
import { DatabaseModule } from '../database/index.js';
import { createHttpApp, ErrorShape, HttpModule } from '../http/index.js';
import { Queue, QueueModule, QueueWorkerHost, QueueWorkerModule } from '../queue/index.js';
import { RateLimiter, RateLimitModule } from '../rate-limit/index.js';
import { createLogger } from './logger.js';
import { Metrics } from './metrics.js';
import { NestLogger } from './nest-logger.js';
import { HealthChecks, ObservabilityModule } from './index.js';

@Controller('hooks')
@ErrorShape('generic')
class HooksController {
  @Get(':token')
  answer(@Param('token') token: string): { length: number } {
    if (token === 'broken') throw new Error('of ours');
    return { length: token.length };
  }
}

@Controller('stream')
class StreamController {
  @Get()
  @Header('content-type', 'text/event-stream')
  answer(): string {
    return 'data: {}\n\n';
  }
}

@Module({})
class RootModule {}

type Line = Record<string, unknown>;

let database: TestDatabase;
let lines: Line[];
let app: NestFastifyApplication;

async function open(redisUrl?: string): Promise<NestFastifyApplication> {
  const environment = new Environment({
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl,
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    OPERATOR_TOKEN: 'operator-token-of-the-test',
    LOG_LEVEL: 'debug',
  });
  lines = [];
  const logger = createLogger(new PlatformSettings(environment), 'api', {
    write: (line: string) => void lines.push(JSON.parse(line) as Line),
  });
  const root: DynamicModule = {
    module: RootModule,
    imports: [
      ConfigModule.of(environment),
      DatabaseModule,
      ObservabilityModule.of(logger),
      HttpModule,
      QueueModule,
      QueueWorkerModule,
      RateLimitModule,
    ],
    controllers: [HooksController, StreamController],
  };
  return createHttpApp(root, { logger, nestLogger: new NestLogger(logger) });
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('observability', () => {
  beforeAll(async () => {
    app = await open(await testRedisUrl());
  });
  afterAll(() => app.close());

  it('lives, and is ready with every part named', async () => {
    const live = await app.inject({ url: '/health/live' });
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok', info: {}, error: {}, details: {} }]);
    const ready = await eventually(async () => {
      const answer = await app.inject({ url: '/health/ready' });
      expect(answer.statusCode).toBe(200);
      return answer.json<{ status: string; info: object }>();
    });
    expect(ready.status).toBe('ok');
    expect(Object.keys(ready.info).sort()).toEqual([
      'database',
      'migrations',
      'queue',
      'rate-limiter',
      'worker',
    ]);
  });

  it('is not ready while a part does not work, and tells nobody but the log why', async () => {
    const end = app
      .get(HealthChecks)
      .register('relay', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5')));
    const down = await app.inject({ url: '/health/ready' });
    expect(down.statusCode).toBe(503);
    expect(down.json()).toMatchObject({
      status: 'error',
      error: { relay: { status: 'down', message: 'unavailable' } },
    });
    expect(down.body).not.toContain('10.0.0.5');
    await app.inject({ url: '/health/ready' });
    expect(lines.filter((line) => line.check === 'relay')).toEqual([
      expect.objectContaining({
        level: 'warn',
        err: expect.objectContaining({ message: 'connect ECONNREFUSED 10.0.0.5' }),
      }),
    ]);
    end();
    expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(200);
  });

  it('a check that hangs is down after two seconds', async () => {
    const end = app.get(HealthChecks).register('hanging', () => new Promise(() => undefined));
    expect((await app.inject({ url: '/health/ready' })).json()).toMatchObject({
      error: { hanging: { status: 'down' } },
    });
    end();
  });

  it('refuses a second check of the same name', () => {
    expect(() => app.get(HealthChecks).register('queue', () => undefined)).toThrow('two health checks');
  });

  it('a stream is logged, but its length is no latency of the route', async () => {
    await app.inject({ url: '/stream' });
    const { body } = await app.inject({ url: '/metrics' });
    expect(body).not.toContain('route="/stream"');
    expect(lines.find((line) => line.route === '/stream')).toMatchObject({ msg: 'request', status: 200 });
  });

  it('counts requests by route and writes a line about each, never with the address', async () => {
    await app.inject({
      url: '/hooks/s3cr3t-url-part?token=also',
      headers: { 'x-request-id': 'r-1', authorization: 'Bearer tlb_hidden' },
    });
    await app.inject({ url: '/nowhere/s3cr3t-url-part' });
    const broken = await app.inject({ url: '/hooks/broken' });
    expect(broken.json()).toEqual({ ok: false, error: 'request rejected' });
    const { body, headers } = await app.inject({ url: '/metrics' });
    expect(headers['content-type']).toContain('text/plain');
    expect(body).toContain(
      'tieline_http_request_duration_seconds_count{method="GET",route="/hooks/:token",status="200"} 1',
    );
    expect(body).toContain(
      'tieline_http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 1',
    );
    expect(body).toContain(
      'tieline_http_request_duration_seconds_count{method="GET",route="/hooks/:token",status="500"} 1',
    );
    expect(lines.find((line) => line.request_id === 'r-1')).toMatchObject({
      level: 'info',
      method: 'GET',
      route: '/hooks/:token',
      status: 200,
      msg: 'request',
    });
    expect(lines.find((line) => line.msg === 'request failed')).toMatchObject({
      level: 'error',
      err: { message: 'of ours' },
    });
    expect(JSON.stringify(lines)).not.toMatch(/s3cr3t|tlb_hidden/);
  });

  it('shows pool, refusals and jobs', async () => {
    const limiter = app.get(RateLimiter);
    const rule = { key: 'bot:{018f2b6e-0000-7000-8000-000000000000}:messages:7', limit: 0, windowMs: 1_000 };
    expect((await limiter.consume([rule])).allowed).toBe(false);
    const { body } = await app.inject({ url: '/metrics' });
    expect(body).toContain('tieline_rate_limit_refusals_total{limit="bot:messages"} 1');
    expect(body).toMatch(/tieline_database_connections\{state="open"\} \d/);
    expect(body).toContain('process_cpu_seconds_total');
    expect(app.get(QueueWorkerHost).running).toBe(true);
  });

  it('one name is one metric, whoever asks for it', async () => {
    const other = new Metrics();
    other.counter('tieline_test_total', 'Of this test', ['who']).labels('one').inc();
    other.counter('tieline_test_total', 'Of this test', ['who']).labels('two').inc();
    expect(await other.text()).toMatch(/tieline_test_total\{who="one"\} 1\n.*\{who="two"\} 1/);
  });

  it('a scrape does not wait for a question that hangs', async () => {
    const other = new Metrics();
    other.onScrape(() => new Promise(() => undefined));
    other.onScrape(() => Promise.reject(new Error('away')));
    other.gauge('tieline_test', 'Of this test').set(5);
    const text = await other.text();
    expect(text).toContain('tieline_test 5');
    expect(text).toContain('tieline_failures_total{part="scrape"} 1');
  });
});

describe('a shutdown', () => {
  it('makes the process unready at once and ends every connection', async () => {
    const leaving = await open(await testRedisUrl());
    leaving.get(HealthChecks).leave();
    const answer = await leaving.inject({ url: '/health/ready' });
    expect([answer.statusCode, answer.json<{ error: object }>().error]).toEqual([
      503,
      { process: { status: 'down', message: 'shutting down' } },
    ]);
    await leaving.close();
    expect(await leaving.get(Queue).wake('gone' as never)).toBe(false);
  });
});

/** Only the Redis variant of the suite may expect a server binary. */
const onRedis = (await testRedisUrl()) === undefined ? () => undefined : describe;

onRedis('with a Redis that goes away', () => {
  it('the process is not ready, says what is down, and recovers by itself', async () => {
    const server = await RedisServer.start();
    const api = await open(server.url);
    await server.stop();
    const down = await eventually(async () => {
      const answer = await api.inject({ url: '/health/ready' });
      return answer.statusCode === 503 && Object.keys(answer.json<{ error: object }>().error).length === 2
        ? answer.json<{ error: object }>().error
        : false;
    });
    expect(Object.keys(down).sort()).toEqual(['queue', 'rate-limiter']);
    expect((await api.inject({ url: '/health/live' })).statusCode).toBe(200);
    await server.resume();
    await eventually(async () => (await api.inject({ url: '/health/ready' })).statusCode === 200, {
      timeoutMs: 5_000,
    });
    await api.close();
    await server.stop();
  });

  it('the process starts without it and becomes ready when it comes', async () => {
    const server = await RedisServer.start();
    await server.stop();
    const api = await open(server.url);
    expect((await api.inject({ url: '/health/ready' })).statusCode).toBe(503);
    await server.resume();
    await eventually(async () => (await api.inject({ url: '/health/ready' })).statusCode === 200, {
      timeoutMs: 5_000,
    });
    await api.close();
    await server.stop();
  });
});
