import { Controller, Get, Header, Module, Param } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createTestDatabase, eventually } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { ConfigModule, Environment, PlatformSettings } from '../config/index.js';
import { DatabaseModule } from '../database/index.js';
import { createHttpApp, ErrorShape, HttpModule } from '../http/index.js';
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

async function open(): Promise<NestFastifyApplication> {
  const environment = new Environment({
    DATABASE_URL: database.url,
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
    imports: [ConfigModule.of(environment), DatabaseModule, ObservabilityModule.of(logger), HttpModule],
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
    app = await open();
  });
  afterAll(() => app.close());

  it('is alive, and ready with every part named', async () => {
    const live = await app.inject({ url: '/health/live' });
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok', info: {}, error: {}, details: {} }]);
    // A check that takes two seconds counts as down.
    await eventually(async () => {
      const ready = await app.inject({ url: '/health/ready' });
      expect([ready.statusCode, ready.json()]).toMatchObject([
        200,
        { status: 'ok', info: { database: { status: 'up' }, migrations: { status: 'up' } } },
      ]);
    });
  });

  it('is not ready while a part is down, and names the reason only in the log', async () => {
    const end = app
      .get(HealthChecks)
      .register('relay', 'stops', () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.5')));
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
    await eventually(async () => expect((await app.inject({ url: '/health/ready' })).statusCode).toBe(200));
  });

  it('is ready without a part that it can do without, and shows it as degraded', async () => {
    const end = app.get(HealthChecks).register('bus', 'degrades', () => Promise.reject(new Error('away')));
    await eventually(async () => {
      const degraded = await app.inject({ url: '/health/ready' });
      expect([degraded.statusCode, degraded.json()]).toMatchObject([
        200,
        { status: 'degraded', info: { bus: { status: 'degraded', message: 'unavailable' } }, error: {} },
      ]);
    });
    end();
    await eventually(async () =>
      expect((await app.inject({ url: '/health/ready' })).json()).toMatchObject({ status: 'ok' }),
    );
  });

  it('a check that hangs is down after two seconds', async () => {
    const end = app.get(HealthChecks).register('hanging', 'stops', () => new Promise(() => undefined));
    expect((await app.inject({ url: '/health/ready' })).json()).toMatchObject({
      error: { hanging: { status: 'down' } },
    });
    end();
  });

  it('refuses a second check of the same name', () => {
    expect(() => app.get(HealthChecks).register('database', 'stops', () => undefined)).toThrow(
      'two health checks',
    );
  });

  it('logs a stream, but does not count its duration as latency of the route', async () => {
    await app.inject({ url: '/stream' });
    const { body } = await app.inject({ url: '/metrics' });
    expect(body).not.toContain('route="/stream"');
    expect(lines.find((line) => line.route === '/stream')).toMatchObject({ msg: 'request', status: 200 });
  });

  it('counts requests by route and logs a line for each, without the address', async () => {
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

  it('shows the pool and the process', async () => {
    const { body } = await app.inject({ url: '/metrics' });
    expect(body).toMatch(/tieline_database_connections\{state="open"\} \d/);
    expect(body).toContain('process_cpu_seconds_total');
  });

  it('the same name returns the same metric', async () => {
    const other = new Metrics();
    other.counter('tieline_test_total', 'Of this test', ['who']).labels('one').inc();
    other.counter('tieline_test_total', 'Of this test', ['who']).labels('two').inc();
    expect(await other.text()).toMatch(/tieline_test_total\{who="one"\} 1\n.*\{who="two"\} 1/);
  });

  it('a scrape does not wait for a source that hangs', async () => {
    const other = new Metrics();
    other.onScrape(() => new Promise(() => undefined));
    other.onScrape(() => Promise.reject(new Error('away')));
    other.gauge('tieline_test', 'Of this test').set(5);
    const text = await other.text();
    expect(text).toContain('tieline_test 5');
    expect(text).toContain('tieline_failures_total{part="scrape"} 1');
  });
});

test('a shutdown makes the process unready immediately', async () => {
  const leaving = await open();
  leaving.get(HealthChecks).leave();
  const response = await leaving.inject({ url: '/health/ready' });
  expect([response.statusCode, response.json<{ error: object }>().error]).toEqual([
    503,
    { process: { status: 'down', message: 'shutting down' } },
  ]);
  await leaving.close();
});
