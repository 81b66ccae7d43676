import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ConversationsModule, PublicEvents } from '@tieline/conversations';
import { ChatFixture, ChatPayloads, withStubs } from '@tieline/conversations/testing';
import { LiveBus, PostgresTransport, RedisTransport, SseStreams } from '@tieline/live';
import type { Bus } from '@tieline/live';
import { ConfigModule, Environment } from '@tieline/platform/config';
import { DatabaseModule, Db, openDb } from '@tieline/platform/database';
import { EgressModule } from '@tieline/egress';
import { createHttpApp, HttpModule } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { OUTBOX, OutboxRelay, RelayLeadership } from '@tieline/delivery';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import {
  createTestDatabase,
  EventStreamClient,
  eventually,
  serveTestDocument,
  testRedisUrl,
} from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { OPERATOR_TOKEN, seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { BotsAdminModule, BotsModule } from '../bots.module.js';
import { DM_CHANNEL } from '../dm-stream/announce-dms.js';
import { BotEventsPlanner } from '../events/bot-events-planner.js';
import { UNTRANSLATED } from './bots-worker.js';
import type { SeededBot } from './bots-fixture.js';

/** A bot with a direct conversation. */
export interface DmBot extends SeededBot {
  dm: string;
}

/** An api process of a {@link DmHarness}, reduced to spaces, chat and bots. */
export class DmApi {
  /** @internal */
  constructor(
    readonly app: NestFastifyApplication,
    readonly url: string,
  ) {}

  get streams(): SseStreams {
    return this.app.get(SseStreams);
  }

  /**
   * Opens a bot's DM stream, after the message with this id if given. Resolves when the headers
   * arrive.
   */
  open(token: string, lastEventId?: string): Promise<EventStreamClient> {
    const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    return EventStreamClient.open(`${this.url}/api/v1/bot/stream`, token, headers);
  }

  async call(
    method: string,
    path: string,
    token: string,
    body?: unknown,
  ): Promise<{ status: number; body: any }> {
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  }
}

/**
 * Several api processes, each with its own connections to database and bus, and a relay that plans
 * bots' events, on one database.
 */
export class DmHarness {
  readonly apis: DmApi[] = [];
  /** Whether the relay's hints reach the bus. Without them only a sweep finds messages. */
  announcing = true;
  private wakeRelay: () => void = () => undefined;
  private readonly closers: (() => Promise<unknown>)[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly redisUrl: string | undefined,
    readonly db: Db,
    readonly space: SeededSpace,
    /** A person who writes to bots. */
    readonly ann: SeededPerson,
  ) {}

  static async start(apis = 1, env: Record<string, string> = {}): Promise<DmHarness> {
    const database = await createTestDatabase();
    const db = await openDb({ databaseUrl: database.url, poolMax: 8 });
    const space = await seedSpace(db);
    const harness = new DmHarness(database, await testRedisUrl(), db, space, await space.person('member'));
    await harness.startRelay();
    for (let count = 0; count < apis; count += 1) await harness.startApi(env);
    return harness;
  }

  /** The first api process. */
  get api(): DmApi {
    return this.apis[0] as DmApi;
  }

  get chat(): ChatFixture {
    return new ChatFixture(this.db, this.space.spaceId);
  }

  async startApi(env: Record<string, string> = {}): Promise<DmApi> {
    const environment = new Environment({
      DATABASE_URL: this.database.url,
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      OPERATOR_TOKEN,
      DATABASE_POOL_MAX: '8',
      // Tests open many streams for one bot.
      STREAMS_PER_CALLER: '1000',
      ...(this.redisUrl !== undefined && { REDIS_URL: this.redisUrl }),
      ...env,
    });
    const platform = [
      ConfigModule.of(environment),
      DatabaseModule,
      HttpModule,
      ObservabilityModule.of(pino({ level: 'silent' })),
      RateLimitModule,
      SigningModule,
      EgressModule,
    ];
    const root: DynamicModule = {
      module: DmHarnessModule,
      imports: withStubs([
        ...platform,
        SpacesModule,
        SpacesAdminModule,
        ConversationsModule,
        BotsModule,
        BotsAdminModule,
      ]),
    };
    const app = await createHttpApp(root, { logger: pino({ level: 'silent' }), nestLogger: false });
    serveTestDocument(app);
    await app.listen(0, '127.0.0.1');
    const api = new DmApi(app, await app.getUrl());
    this.apis.push(api);
    app.get(Db).onSignal(OUTBOX, () => this.wakeRelay());
    this.closers.push(() => app.close());
    return api;
  }

  /** Connects a bus as a worker does. */
  async bus(): Promise<Bus> {
    const name = 'tieline-bus-worker';
    const bus = new LiveBus(
      this.redisUrl === undefined
        ? new PostgresTransport(this.database.url, name)
        : new RedisTransport(this.redisUrl, name),
    );
    await bus.start();
    this.closers.push(() => bus.close());
    return bus;
  }

  /** Creates a bot and its direct conversation with Ann. */
  async bot(): Promise<DmBot> {
    const { status, body } = await this.api.call('POST', '/api/v1/admin/bots', this.space.owner.token, {
      display_name: 'Robot',
    });
    if (status !== 201) throw new Error(`the bot was refused: ${JSON.stringify(body)}`);
    const {
      bot: { id },
      token,
    } = body;
    return { id, token, dm: await this.chat.direct({ id: this.ann.id, type: 'user' }, { id, type: 'bot' }) };
  }

  /**
   * Sends a message from Ann to the bot.
   * @returns the message's id
   */
  async say({ dm }: DmBot, text: string): Promise<string> {
    return (await this.chat.post(dm, { id: this.ann.id, type: 'user' }, text)).messageId;
  }

  /** Resolves when everything committed so far is planned. */
  async planned(): Promise<void> {
    await eventually(async () => (await this.db.query('SELECT 1 FROM outbox LIMIT 1')).length === 0, {
      everyMs: 5,
    });
  }

  /** Resolves when the database has recorded that the bot received everything. */
  async got({ id }: DmBot): Promise<void> {
    const sql =
      'SELECT 1 FROM dm_inbox_positions p WHERE p.bot_id = $1 AND p.position = (SELECT max(d.position) FROM dm_inbox d WHERE d.bot_id = $1)';
    await eventually(async () => (await this.db.query(sql, [id])).length === 1);
  }

  /** Stops everything and deletes the database. */
  async close(): Promise<void> {
    await Promise.all(this.closers.map((close) => close()));
    await this.db.close();
    await this.database.drop();
  }

  /** A bus that drops hints while `announcing` is false. */
  private announcer(bus: Bus): Bus {
    const publish = (channel: string, payload: unknown): void => {
      if (channel !== DM_CHANNEL || this.announcing) bus.publish(channel, payload);
    };
    return Object.assign(Object.create(bus) as Bus, { publish });
  }

  private async startRelay(): Promise<void> {
    const relay = new OutboxRelay(this.db, new RelayLeadership(this.database.url), {}, new ChatPayloads());
    const bus = this.announcer(await this.bus());
    relay.subscribe(new BotEventsPlanner(bus, new PublicEvents(false), UNTRANSLATED));
    this.wakeRelay = () => relay.wake();
    this.db.onSignal(OUTBOX, this.wakeRelay);
    relay.start();
    this.closers.unshift(() => relay.stop());
  }
}

@Module({})
class DmHarnessModule {}
