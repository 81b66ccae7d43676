import type { DynamicModule, Type } from '@nestjs/common';
import { ConversationsModule, CreateMessage } from '@tieline/conversations';
import { ChatFixture, withStubs } from '@tieline/conversations/testing';
import { EgressModule } from '@tieline/egress';
import { ObservabilityModule } from '@tieline/platform/observability';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { testRedisUrl } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { AppBotParts } from '../accounts/app-bot-parts.js';
import { BotsAdminModule, BotsModule } from '../bots.module.js';

/** A bot for a test. */
export interface SeededBot {
  id: string;
  token: string;
}

/** Bots of apps have no commands and no shortcuts. */
const NO_PARTS = { provide: AppBotParts, useValue: { copy: async () => undefined } satisfies AppBotParts };
const PLATFORM = [RateLimitModule, SigningModule, EgressModule];
const CHAT = [SpacesModule, SpacesAdminModule, ConversationsModule, BotsModule, BotsAdminModule];

/**
 * Starts the HTTP application of bots and the libs below, and of `more`, on a new database, with
 * rate limits on Redis if the tests have one.
 */
export async function startBotsApi(
  env: Record<string, string> = {},
  more: (Type | DynamicModule)[] = [],
): Promise<TestApi> {
  const redisUrl = await testRedisUrl();
  const logs = ObservabilityModule.of(pino({ level: 'silent' }));
  return startTestApi(withStubs([logs, ...PLATFORM, ...CHAT, ...more], [NO_PARTS]), {
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...env,
  });
}

/** A space in which tests act over HTTP. */
export class BotsFixture {
  /** Writes conversations of the space directly to the database. */
  readonly chat: ChatFixture;

  private constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
  ) {
    this.chat = new ChatFixture(api.db, space.spaceId, api.app.get(CreateMessage));
  }

  static async of(api: TestApi): Promise<BotsFixture> {
    return new BotsFixture(api, await seedSpace(api.db));
  }

  /** Calls an admin endpoint as the space's owner. */
  admin(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token: this.space.owner.token, body });
  }

  /**
   * Creates a bot.
   * @throws Error if it was refused
   */
  async bot(settings: Record<string, unknown> = {}): Promise<SeededBot> {
    const { body } = expectStatus(
      await this.admin('POST', '/bots', { display_name: 'Robot', ...settings }),
      201,
    );
    return { id: body.bot.id, token: body.token };
  }

  /**
   * Creates a public channel with these bots.
   * @returns its id
   */
  channelOf(...bots: SeededBot[]): Promise<string> {
    return this.chat.conversation({ members: bots.map(({ id }) => ({ id, type: 'bot' as const })) });
  }
}

function expectStatus(response: TestAnswer, status: number): TestAnswer {
  if (response.status !== status)
    throw new Error(`expected ${status}, got ${response.status}: ${JSON.stringify(response.body)}`);
  return response;
}
