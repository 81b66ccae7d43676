import type { DynamicModule, Type } from '@nestjs/common';
import { ConversationsModule, CreateMessage } from '@tieline/conversations';
import { ChatFixture, withStandIns } from '@tieline/conversations/testing';
import { EgressModule } from '@tieline/egress';
import { ObservabilityModule } from '@tieline/platform/observability';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { testRedisUrl } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { BotsAdminModule, BotsModule } from '../bots.module.js';

/** A bot for a test. */
export interface SeededBot {
  id: string;
  token: string;
}

const PLATFORM = [RateLimitModule, SigningModule, EgressModule];
const CHAT = [SpacesModule, SpacesAdminModule, ConversationsModule, BotsModule, BotsAdminModule];

/**
 * Starts the HTTP application of bots and what lies below, and of `more`, on a fresh database, with
 * the rates on Redis where the tests have one.
 */
export async function startBotsApi(
  env: Record<string, string> = {},
  more: (Type | DynamicModule)[] = [],
): Promise<TestApi> {
  const redisUrl = await testRedisUrl();
  const logs = ObservabilityModule.of(pino({ level: 'silent' }));
  return startTestApi(withStandIns([logs, ...PLATFORM, ...CHAT, ...more]), {
    ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
    ...env,
  });
}

/** A space in which tests act over HTTP. */
export class BotsFixture {
  /** Conversations of the space, written straight into the database. */
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

  /** As the space's owner. */
  admin(method: string, path: string, body?: unknown): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token: this.space.owner.token, body });
  }

  /** Makes a bot. @throws Error when that was refused */
  async bot(settings: Record<string, unknown> = {}): Promise<SeededBot> {
    const { body } = expectStatus(
      await this.admin('POST', '/bots', { display_name: 'Robot', ...settings }),
      201,
    );
    return { id: body.bot.id, token: body.token };
  }

  /** Makes a public channel with these bots. @returns its id */
  channelOf(...bots: SeededBot[]): Promise<string> {
    return this.chat.conversation({ members: bots.map(({ id }) => ({ id, type: 'bot' as const })) });
  }
}

function expectStatus(answer: TestAnswer, status: number): TestAnswer {
  if (answer.status !== status)
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}
