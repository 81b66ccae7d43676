import { Module } from '@nestjs/common';
import type { DynamicModule, Type } from '@nestjs/common';
import { BotDirectory, ConversationsModule } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { ChatFixture, supply, withStubs } from '@tieline/conversations/testing';
import { HttpModule, TokenResolvers } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { RateLimitModule } from '@tieline/rate-limit';
import { newToken } from '@tieline/signing';
import { testRedisUrl } from '@tieline/testing';
import { SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import type { StreamedTask } from '../updates/streamed-task.view.js';
import { uuidv7 } from 'uuidv7';
import { ExecutionTasksModule } from '../execution-tasks.module.js';
import { NoRunsModule } from './no-runs.module.js';

/** A bot of a {@link TasksFixture}. */
export interface TestBot {
  id: string;
  spaceId: string;
  token: string;
}

const bots = new Map<string, TestBot>();

/**
 * Replaces the bots lib, which this lib cannot import: resolves the tokens of {@link
 * TasksFixture.bot}.
 */
@Module({ imports: [HttpModule] })
class TestBotsModule {
  constructor(resolvers: TokenResolvers) {
    resolvers.register('tlb_', async (token) => {
      const bot = bots.get(token);
      return bot && { kind: 'bot', botId: bot.id, spaceId: bot.spaceId, channelIds: [], scopes: 'all' };
    });
  }
}

/** The existing test bots and their tokens. */
const TEST_BOTS = supply({
  provide: BotDirectory,
  useValue: {
    findActive: async (_q, spaceId, ids) =>
      [...bots.values()].filter((bot) => bot.spaceId === spaceId && ids.includes(bot.id)).map(({ id }) => id),
  } satisfies BotDirectory,
});

const UNLIMITED = {
  RATE_TASK_WRITES_PER_SECOND: '100000',
  RATE_BOT_WRITES_PER_SECOND: '100000',
  RATE_AGENT_RUN_CREATE_PER_SECOND: '100000',
  RATE_AGENT_RUN_UPDATE_PER_SECOND: '100000',
};

/**
 * Starts the HTTP application of tasks and its dependencies, without rate limits unless `env` sets
 * them.
 * @param more modules above this lib; one of them provides `TaskRuns`
 */
export async function startTasksApi(
  env: Record<string, string> = {},
  more: (Type | DynamicModule)[] = [NoRunsModule],
): Promise<TestApi> {
  const redisUrl = await testRedisUrl();
  const logs = ObservabilityModule.of(pino({ level: 'silent' }));
  const modules = [
    logs,
    RateLimitModule,
    SpacesModule,
    ConversationsModule,
    TestBotsModule,
    TEST_BOTS,
    ExecutionTasksModule,
    ...more,
  ];
  return startTestApi(withStubs(modules), {
    ...UNLIMITED,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...env,
  });
}

/** A space with a bot and a person in one channel. */
export class TasksFixture {
  readonly chat: ChatFixture;
  bot: TestBot;
  person: SeededPerson;
  channel: string;

  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
  ) {
    this.chat = new ChatFixture(api.db, space.spaceId);
  }

  static async of(api: TestApi): Promise<TasksFixture> {
    const fixture = new TasksFixture(api, await seedSpace(api.db));
    fixture.bot = fixture.newBot();
    fixture.person = await fixture.space.person('member', 'Ann');
    fixture.channel = await fixture.conversation();
    return fixture;
  }

  /** Returns a new bot of the space without writing anything. */
  newBot(): TestBot {
    const bot = { id: uuidv7(), spaceId: this.space.spaceId, token: newToken('tlb_') };
    bots.set(bot.token, bot);
    return bot;
  }

  /** Simulates the deletion of the bot by an admin. */
  remove(bot: TestBot): void {
    bots.delete(bot.token);
  }

  /** Replaces the bot's token. */
  regenerate(bot: TestBot): TestBot {
    bots.delete(bot.token);
    const renewed = { ...bot, token: newToken('tlb_') };
    bots.set(renewed.token, renewed);
    return renewed;
  }

  /**
   * Creates a channel with the bot and the person.
   *
   * @returns its id
   */
  conversation(settings: Parameters<ChatFixture['conversation']>[0] = {}): Promise<string> {
    return this.chat.conversation({
      members: [
        { id: this.bot.id, type: 'bot' },
        { id: this.person.id, type: 'user' },
      ],
      ...settings,
    });
  }

  /**
   * Posts a message as the person.
   *
   * @returns its id
   */
  async say(text = 'please do it', conversationId = this.channel, parentMessageId?: string): Promise<string> {
    return (
      await this.chat.post(conversationId, { id: this.person.id, type: 'user' }, text, { parentMessageId })
    ).messageId;
  }

  /** Calls a bot endpoint below `/api/v1/bot`. */
  call(
    method: string,
    path: string,
    body?: unknown,
    { token = this.bot.token, headers }: { token?: string; headers?: Record<string, string> } = {},
  ): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/bot${path}`, { token, body, headers });
  }

  /** Calls a client endpoint below `/api/v1/client`. */
  asPerson(
    method: string,
    path: string,
    body?: unknown,
    person: SeededPerson = this.person,
  ): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/client${path}`, { token: person.token, body });
  }

  /**
   * Creates a task.
   *
   * @throws Error if it was refused
   */
  async task(body: Record<string, unknown> = {}): Promise<TestAnswer['body']['execution_task']> {
    const response = await this.call('POST', '/execution_tasks', {
      conversation_id: this.channel,
      idempotency_key: uuidv7(),
      ...body,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(response.body)}`);
    return response.body.execution_task;
  }

  /** Returns events of one type in the space's outbox. */
  async events<Payload = ChatEvent>(type: string): Promise<Payload[]> {
    return (await this.chat.events())
      .filter((event) => event.type === type)
      .map((event) => event.payload as Payload);
  }

  /** Returns the events that members of the channel receive on their streams. */
  async streamed(): Promise<StreamedTask[]> {
    const events = await this.events<{ channelId: string; event: StreamedTask }>('live.event');
    return events.filter(({ channelId }) => channelId === this.channel).map(({ event }) => event);
  }
}
