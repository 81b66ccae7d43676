import { ConversationsModule } from '@tieline/conversations';
import { ChatFixture, withStubs } from '@tieline/conversations/testing';
import { BusModule } from '@tieline/live';
import { DeliveryModule, OutboxModule, RelayModule } from '@tieline/delivery';
import { EgressModule } from '@tieline/egress';
import { ADVISORY_LOCKS } from '@tieline/background';
import { ObservabilityModule } from '@tieline/platform/observability';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { eventually, FailureLog, startReceiver, testRedisUrl } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { BotsWorkerModule } from '../bots-worker.module.js';
import { BotsAdminModule, BotsModule } from '../bots.module.js';
import type { PollRecordView } from '../poll/poll-record.view.js';
import { NO_SLACK_EVENTS } from './bots-worker.js';
import type { SeededBot } from './bots-fixture.js';

/** Advisory lock of the planning transaction. Holding it pauses the relay. */
export const PLAN_LOCK = ADVISORY_LOCKS.planning;

/** A bot with a receiver for its webhook. */
export interface PushedBot extends SeededBot {
  secret: string;
  receiver: Receiver;
}

/**
 * The endpoints of bots, relay and delivery engine in one process, with a space, its owner and
 * receivers.
 */
export class EventsHarness {
  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
    readonly failures: unknown[],
    /** Shared by all spaces, so that closing stops them all. */
    private readonly receivers: Receiver[],
  ) {}

  static async start(env: Record<string, string> = {}): Promise<EventsHarness> {
    const { failures, logger } = new FailureLog('relay', 'delivery');
    const redisUrl = await testRedisUrl();
    const platform = [
      ObservabilityModule.of(logger),
      BusModule,
      QueueModule,
      QueueWorkerModule,
      RateLimitModule,
      SigningModule,
      EgressModule,
      OutboxModule,
      RelayModule,
      DeliveryModule,
    ];
    const api = await startTestApi(
      withStubs([
        ...platform,
        SpacesModule,
        SpacesAdminModule,
        ConversationsModule,
        BotsModule,
        BotsAdminModule,
        BotsWorkerModule,
        NO_SLACK_EVENTS,
      ]),
      {
        ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
        EGRESS_ALLOW_HTTP: 'true',
        EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
        DELIVERY_BACKOFF_INITIAL_MS: '20',
        DELIVERY_BACKOFF_MAX_MS: '40',
        DELIVERY_MAX_ATTEMPTS: '3',
        DATABASE_POOL_MAX: '20',
        ...env,
      },
    );
    return new EventsHarness(api, await seedSpace(api.db, { plan: 'enterprise' }), failures, []);
  }

  /** Another space on the same system. */
  async otherSpace(): Promise<EventsHarness> {
    return new EventsHarness(
      this.api,
      await seedSpace(this.api.db, { plan: 'enterprise' }),
      this.failures,
      this.receivers,
    );
  }

  get chat(): ChatFixture {
    return new ChatFixture(this.api.db, this.space.spaceId);
  }

  get owner(): SeededPerson {
    return this.space.owner;
  }

  admin(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token: this.owner.token, body });
  }

  /** Creates a bot that subscribes to new messages and polls, by default. */
  async bot(settings: Record<string, unknown> = {}): Promise<SeededBot & { secret: string }> {
    const body = {
      display_name: 'Robot',
      event_types: ['MESSAGE_CREATED'],
      event_delivery_mode: 'poll',
      ...settings,
    };
    const response = await this.admin('POST', '/bots', body);
    if (response.status !== 201) throw new Error(`the bot was refused: ${JSON.stringify(response.body)}`);
    return {
      id: response.body.bot.id,
      token: response.body.token,
      secret: response.body.webhook_signing_secret,
    };
  }

  /** Creates a bot in mode `webhook` with its own receiver. */
  async pushedBot(settings: Record<string, unknown> = {}): Promise<PushedBot> {
    const receiver = await startReceiver();
    this.receivers.push(receiver);
    return {
      ...(await this.bot({
        event_delivery_mode: 'webhook',
        webhook_url: `${receiver.url}/bot`,
        ...settings,
      })),
      receiver,
    };
  }

  async change({ id }: SeededBot, settings: Record<string, unknown>): Promise<void> {
    const response = await this.admin('PATCH', `/bots/${id}`, settings);
    if (response.status !== 200) throw new Error(`the change was refused: ${JSON.stringify(response.body)}`);
  }

  /** Creates a channel of the owner and these bots. */
  channel(scope: 'public' | 'private' = 'public', ...bots: SeededBot[]): Promise<string> {
    return this.chat.conversation({
      scope,
      members: [{ id: this.owner.id, type: 'user' }, ...bots.map(({ id }) => ({ id, type: 'bot' as const }))],
    });
  }

  /** Posts as the owner. */
  post(
    conversationId: string,
    text: string,
    more: Parameters<ChatFixture['post']>[3] = {},
  ): ReturnType<ChatFixture['post']> {
    return this.chat.post(conversationId, { id: this.owner.id, type: 'user' }, text, more);
  }

  /** Reads a bot's queue over HTTP. */
  poll({ token }: SeededBot, query = ''): Promise<TestAnswer> {
    return this.api.call('GET', `/api/v1/bot/events${query}`, { token });
  }

  /** Returns a bot's queue after everything committed so far is planned. */
  async queue(bot: SeededBot): Promise<PollRecordView[]> {
    await this.planned();
    const { status, body } = await this.poll(bot, '?limit=500');
    if (status !== 200) throw new Error(`the poll was refused: ${JSON.stringify(body)}`);
    return body.events as PollRecordView[];
  }

  /** Returns the texts of the messages in a bot's queue. */
  async texts(bot: SeededBot): Promise<string[]> {
    return (await this.queue(bot)).map(
      ({ payload_json: payload }) => (JSON.parse(payload) as { text: string }).text,
    );
  }

  /** Resolves when the outbox is empty, so that everything committed is planned. */
  async planned(): Promise<void> {
    await eventually(async () => (await this.api.db.query('SELECT 1 FROM outbox LIMIT 1')).length === 0);
  }

  /** Resolves when no delivery to a bot is pending. */
  async sent({ id }: SeededBot): Promise<void> {
    await this.planned();
    await eventually(
      async () =>
        (await this.api.db.query('SELECT 1 FROM delivery_queue WHERE target_id = $1', [id])).length === 0,
    );
  }

  /** Returns a bot's delivery log, newest first. */
  async deliveries({ id }: SeededBot, query = ''): Promise<TestAnswer['body'][]> {
    return (await this.admin('GET', `/bots/${id}/deliveries${query}`)).body.deliveries;
  }

  /**
   * Stops everything.
   * @throws AggregateError if the relay or the engine had failures
   */
  async close(): Promise<void> {
    const failures = [...this.failures];
    await this.api.close();
    await Promise.all(this.receivers.map((receiver) => receiver.close()));
    if (failures.length > 0) throw new AggregateError(failures, 'relay or engine had failures');
  }
}
