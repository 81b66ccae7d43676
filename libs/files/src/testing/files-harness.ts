import { Module } from '@nestjs/common';
import { ConversationsModule, CreateMessage } from '@tieline/conversations';
import { ChatFixture, withStubs } from '@tieline/conversations/testing';
import { runInWorkerTx } from '@tieline/platform/database';
import { HttpModule, TokenResolvers } from '@tieline/platform/http';
import { ObservabilityModule } from '@tieline/platform/observability';
import { RateLimitModule } from '@tieline/rate-limit';
import { newToken } from '@tieline/signing';
import { testRedisUrl } from '@tieline/testing';
import { SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { attachFiles } from '../attachments/attach-files.js';
import type { AttachedFiles } from '../attachments/attach-files.js';
import type { FileLookupResult } from '../attachments/file-lookup.js';
import { FilesModule } from '../files.module.js';
import { FilesFixture } from './files-fixture.js';
import { TestStorage } from './test-storage.js';

/** A bot of a {@link FilesHarness}. */
export interface HarnessBot {
  botId: string;
  spaceId: string;
  token: string;
}

/** A message of {@link FilesHarness.post}. */
export interface HarnessMessage {
  conversationId?: string;
  bot?: HarnessBot;
  text?: string;
  parentMessageId?: string;
  found?: FileLookupResult;
}

const bots = new Map<string, HarnessBot>();

/**
 * Replaces the bots lib, which this lib does not know: resolves the tokens of
 * {@link FilesHarness.newBot}.
 */
@Module({ imports: [HttpModule] })
class HarnessBotsModule {
  constructor(resolvers: TokenResolvers) {
    resolvers.register('tlb_', async (token) => {
      const bot = bots.get(token);
      return bot && { kind: 'bot', botId: bot.botId, spaceId: bot.spaceId, channelIds: [], scopes: 'all' };
    });
  }
}

const UNLIMITED = { RATE_BOT_MESSAGES_PER_SECOND: '100000', RATE_BOT_WRITES_PER_SECOND: '100000' };

/**
 * Starts the HTTP application of files and the libs below, without limits unless `env` sets them.
 */
export async function startFilesApi(
  storage: TestStorage,
  env: Record<string, string> = {},
): Promise<TestApi> {
  const redisUrl = await testRedisUrl();
  const logs = ObservabilityModule.of(pino({ level: 'silent' }));
  const modules = [
    logs,
    RateLimitModule,
    SpacesModule,
    ConversationsModule,
    HarnessBotsModule,
    storage.routes,
    FilesModule,
  ];
  return startTestApi(withStubs(modules), {
    ...UNLIMITED,
    ...storage.env,
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...env,
  });
}

/** A space with a bot and a person who share a private channel. */
export class FilesHarness {
  readonly chat: ChatFixture;
  bot: HarnessBot;
  person: SeededPerson;
  channel: string;

  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
  ) {
    this.chat = new ChatFixture(api.db, space.spaceId);
  }

  static async of(api: TestApi): Promise<FilesHarness> {
    const harness = new FilesHarness(api, await seedSpace(api.db));
    harness.bot = harness.newBot();
    harness.person = await harness.space.person('member', 'Ann');
    harness.channel = await harness.conversation();
    return harness;
  }

  /** Returns a bot of the space; writes nothing. */
  newBot(): HarnessBot {
    const bot = { botId: uuidv7(), spaceId: this.space.spaceId, token: newToken('tlb_') };
    bots.set(bot.token, bot);
    return bot;
  }

  /** Writes files of the bot directly to database and storage. */
  files(bot = this.bot): FilesFixture {
    return FilesFixture.of(this.api, bot);
  }

  /**
   * Creates a private channel of the bot and the person.
   * @returns its id
   */
  conversation(settings: Parameters<ChatFixture['conversation']>[0] = {}): Promise<string> {
    return this.chat.conversation({
      scope: 'private',
      members: [
        { id: this.bot.botId, type: 'bot' },
        { id: this.person.id, type: 'user' },
      ],
      ...settings,
    });
  }

  /** Posts a message of the bot with these files, as the libs above do. */
  async post(
    fileIds: string[],
    { conversationId = this.channel, bot = this.bot, text = '', parentMessageId, found }: HarnessMessage = {},
  ): Promise<AttachedFiles & { messageId: string }> {
    const messageId = uuidv7();
    return runInWorkerTx(this.api.db, async (tx) => {
      const attachments = await attachFiles(tx, bot, {
        conversationId,
        parentMessageId,
        messageId,
        fileIds,
        found,
      });
      const author = { id: bot.botId, type: 'bot' as const };
      const created = await this.api.app.get(CreateMessage).in(tx, {
        spaceId: bot.spaceId,
        conversationId,
        author,
        text,
        parentMessageId,
        messageId,
        attachments,
      });
      if ('refused' in created) throw new Error(`the message was refused: ${created.refused}`);
      return { ...attachments, messageId };
    });
  }

  /** Returns the message as its readers see it in history. */
  async read(messageId: string, conversationId = this.channel): Promise<TestAnswer['body']> {
    const { body } = await this.api.call('GET', `/api/v1/channels/${conversationId}/messages`, {
      token: this.person.token,
    });
    return body.messages.find((message: { id: string }) => message.id === messageId);
  }

  /** Calls an endpoint of bots below `/api/v1/bot/files`. */
  call(method: string, path: string, body?: unknown, token = this.bot.token): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/bot/files${path}`, { token, body });
  }

  /** Calls POST …/upload_sessions, by default for a PDF of 5 bytes in the channel. */
  session(body: Record<string, unknown> = {}, token = this.bot.token): Promise<TestAnswer> {
    const upload = {
      conversation_id: this.channel,
      file_name: 'report.pdf',
      file_size: 5,
      mime_type: 'application/pdf',
    };
    return this.call('POST', '/upload_sessions', { ...upload, ...body }, token);
  }

  confirm(
    fileId: string,
    conversationId: unknown = this.channel,
    token = this.bot.token,
  ): Promise<TestAnswer> {
    return this.call('POST', `/${fileId}/confirm`, { conversation_id: conversationId }, token);
  }

  download(
    fileId: string,
    conversationId: string = this.channel,
    token = this.bot.token,
  ): Promise<TestAnswer> {
    return this.call('GET', `/${fileId}/download_url?conversation_id=${conversationId}`, undefined, token);
  }

  /** Calls GET …/client/files/{id}/download_url as a person. */
  downloadAs(person: { token: string }, fileId: string): Promise<TestAnswer> {
    return this.api.call('GET', `/api/v1/client/files/${fileId}/download_url`, { token: person.token });
  }
}
