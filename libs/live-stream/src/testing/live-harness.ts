import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Bus, LiveBus, PostgresTransport, RedisTransport, SseStreams } from '@tieline/live';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { DatabaseModule, Db, openDb } from '@tieline/platform/database';
import { createHttpApp, HttpModule } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { OUTBOX, OutboxRelay, RelayLeadership } from '@tieline/delivery';
import { createTestDatabase, EventStreamClient, serveTestDocument, testRedisUrl } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { OPERATOR_TOKEN } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { ClientStreamModule } from '../client-stream.module.js';
import { LiveFanout } from '../live-fanout.js';
import { StatusEnds } from '../status/status-ends.js';
import { ChatPayloads, withStubs } from '@tieline/conversations/testing';

const STREAM_PATH = '/api/v1/client/stream';

/** An api process of a {@link LiveHarness}, reduced to people and their streams. */
export class LiveApi {
  /** @internal */
  constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
  ) {}

  get streams(): SseStreams {
    return this.app.get(SseStreams);
  }

  /** Opens a person's stream. Resolves when the headers arrive. */
  open(token: string): Promise<EventStreamClient> {
    return EventStreamClient.open(`${this.url}${STREAM_PATH}`, token);
  }

  /** Calls `PUT /client/focus`. */
  async focus(token: string, body: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.url}/api/v1/client/focus`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    return { status: response.status, body: await response.json() };
  }
}

/**
 * Several api processes and a relay on one database in one test process, each with its own
 * connection to the bus.
 */
export class LiveHarness {
  readonly apis: LiveApi[] = [];
  private readonly closers: (() => Promise<unknown>)[] = [];
  private readonly relays: OutboxRelay[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly redisUrl: string | undefined,
    /** The worker's database connection. Commits through it wake the relay immediately. */
    readonly db: Db,
    private readonly above: (Type | DynamicModule)[],
  ) {}

  /**
   * Starts the relay and `apis` api processes. `env` adds to their configuration; `above` are
   * modules of libs above the chat core.
   */
  static async start(
    apis = 1,
    env: Record<string, string> = {},
    ...above: (Type | DynamicModule)[]
  ): Promise<LiveHarness> {
    const database = await createTestDatabase();
    const harness = new LiveHarness(
      database,
      await testRedisUrl(),
      await openDb({ databaseUrl: database.url, poolMax: 8 }),
      above,
    );
    await harness.startRelay();
    for (let count = 0; count < apis; count += 1) harness.apis.push(await harness.startApi(env));
    return harness;
  }

  /** The first api process. */
  get api(): LiveApi {
    return this.apis[0] as LiveApi;
  }

  /** Connects a separate bus, which the caller closes. */
  async bus(name?: string): Promise<Bus> {
    const bus = new LiveBus(
      this.redisUrl === undefined
        ? new PostgresTransport(this.database.url, name)
        : new RedisTransport(this.redisUrl, name),
    );
    await bus.start();
    return bus;
  }

  /** Starts another api process. */
  async startApi(env: Record<string, string> = {}): Promise<LiveApi> {
    const environment = new Environment({
      DATABASE_URL: this.database.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      OPERATOR_TOKEN,
      DATABASE_POOL_MAX: '8',
      // Tests open many streams for one person.
      STREAMS_PER_CALLER: '1000',
      ...(this.redisUrl !== undefined && { REDIS_URL: this.redisUrl }),
      ...env,
    });
    const root: DynamicModule = {
      module: LiveHarnessModule,
      imports: withStubs([
        ConfigModule.of(environment),
        DatabaseModule,
        HttpModule,
        ObservabilityModule.of(pino({ level: 'silent' })),
        SpacesModule,
        SpacesAdminModule,
        ClientStreamModule,
        ...this.above,
      ]),
    };
    const app = await createHttpApp(root, {
      logger: pino({ level: 'silent' }),
      nestLogger: false,
      mayLackRates: true,
    });
    serveTestDocument(app);
    await app.listen(0, '127.0.0.1');
    this.closers.push(() => app.close());
    return new LiveApi(app, await app.getUrl());
  }

  /** Starts another relay. The first one stays leader as long as it runs. */
  async startRelay(): Promise<void> {
    const bus = await this.bus('tieline-bus-worker');
    const relay = new OutboxRelay(this.db, new RelayLeadership(this.database.url), {}, new ChatPayloads());
    new LiveFanout(bus, relay).onModuleInit();
    new StatusEnds(bus, relay).onModuleInit();
    const end = this.db.onSignal(OUTBOX, () => relay.wake());
    relay.start();
    this.relays.push(relay);
    this.closers.push(async () => {
      end();
      if (this.relays.includes(relay)) await relay.stop();
      await bus.close();
    });
  }

  /** Stops the first relay. */
  async stopRelay(): Promise<void> {
    await this.relays.shift()?.stop();
  }

  /** Stops everything and deletes the database. */
  async close(): Promise<void> {
    await Promise.all(this.closers.map((close) => close()));
    await this.db.close();
    await this.database.drop();
  }
}

@Module({})
class LiveHarnessModule {}
