import { createHmac } from 'node:crypto';
import { ConversationsModule } from '@tieline/conversations';
import { ChatFixture, withStubs } from '@tieline/conversations/testing';
import { BusModule } from '@tieline/live';
import { EgressModule } from '@tieline/egress';
import { ObservabilityModule } from '@tieline/platform/observability';
import { OutboxModule } from '@tieline/delivery';
import { QueueModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import { testRedisUrl } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { pino } from 'pino';
import { IncomingWebhooksAdminModule, IncomingWebhooksModule } from '../incoming/incoming-webhooks.module.js';

type Plan = NonNullable<NonNullable<Parameters<typeof seedSpace>[1]>['plan']>;

/** Body of every rejection. */
export const REJECTED = { ok: false, error: 'request rejected' };

/** A webhook created by {@link IncomingHarness.webhook}. */
export interface TestWebhook {
  id: string;
  token: string;
  secret: string;
  conversationId: string;
}

/** Response to a posted request. */
export interface PostResponse {
  status: number;
  headers: Headers;
  text: string;
  body: TestAnswer['body'];
}

/** One of `requests` of the admin endpoint. */
export interface LogEntry {
  status: number;
  verdict: string;
  reason: string;
  body: string;
  address: string;
  notes: string[];
  time: string;
  message_id?: string;
}

/**
 * Incoming webhooks, their admin endpoints and message history in one process, with a space and its
 * admin.
 */
export class IncomingHarness {
  constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
    readonly admin: SeededPerson,
    readonly chat: ChatFixture,
  ) {}

  /** Creates another space on the same system. */
  otherSpace(plan: Plan = 'enterprise'): Promise<IncomingHarness> {
    return harnessOn(this.api, plan);
  }

  /** Calls an endpoint below /api/v1/admin as the space's admin. */
  call(method: string, path: string, body?: unknown, token = this.admin.token): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token, body });
  }

  /** Creates a channel with the owner as a member. */
  channel(scope: 'public' | 'private' = 'public'): Promise<string> {
    return this.chat.conversation({ scope, members: [{ id: this.space.owner.id, type: 'user' }] });
  }

  /** Creates a webhook in a new channel. It requires no signature by default. */
  async webhook(settings: Record<string, unknown> = {}): Promise<TestWebhook> {
    const conversationId = (settings['conversation_id'] as string | undefined) ?? (await this.channel());
    const { status, body } = await this.call('POST', '/incoming_webhooks', {
      name: 'Alerts',
      require_signature: false,
      ...settings,
      conversation_id: conversationId,
    });
    if (status !== 201) throw new Error(`the webhook was not created: ${JSON.stringify(body)}`);
    return { id: body.webhook.id, token: body.token, secret: body.signing_secret, conversationId };
  }

  /** Sends a request to a webhook address. Objects are sent as JSON. */
  async send(
    path: string,
    body: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    method = 'POST',
  ): Promise<PostResponse> {
    const bytes =
      typeof body === 'string'
        ? Buffer.from(body)
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(JSON.stringify(body));
    // A Buffer has no content type unless the headers set one.
    const response = await fetch(`${this.api.url}${path}`, {
      method,
      headers,
      ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(bytes) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  /** Posts to a webhook. */
  post(
    webhook: Pick<TestWebhook, 'token'>,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<PostResponse> {
    return this.send(`/api/v1/webhooks/incoming/${webhook.token}`, body, headers);
  }

  /** Returns the messages in the webhook's channel as the owner sees them, oldest first. */
  async history({ conversationId }: Pick<TestWebhook, 'conversationId'>): Promise<TestAnswer['body'][]> {
    const { body } = await this.api.call('GET', `/api/v1/channels/${conversationId}/messages?limit=200`, {
      token: this.space.owner.token,
    });
    return body.messages;
  }

  /** Returns the webhook's request log, newest first. */
  async requests({ id }: Pick<TestWebhook, 'id'>, query = ''): Promise<LogEntry[]> {
    return (await this.call('GET', `/incoming_webhooks/${id}/requests${query}`)).body.requests;
  }

  async close(): Promise<void> {
    await this.api.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Starts the harness on a new database, and on Redis if the tests have one. Close it in
 * `afterAll`.
 */
export async function startIncomingHarness(
  env: Record<string, string> = {},
  plan: Plan = 'enterprise',
): Promise<IncomingHarness> {
  const redisUrl = await testRedisUrl();
  const imports = withStubs([
    ObservabilityModule.of(pino({ level: 'silent' })),
    BusModule,
    QueueModule,
    RateLimitModule,
    SigningModule,
    EgressModule,
    OutboxModule,
    SpacesModule,
    SpacesAdminModule,
    ConversationsModule,
    IncomingWebhooksModule,
    IncomingWebhooksAdminModule,
  ]);
  return harnessOn(
    await startTestApi(imports, { ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }), ...env }),
    plan,
  );
}

async function harnessOn(api: TestApi, plan: Plan): Promise<IncomingHarness> {
  const space = await seedSpace(api.db, { plan });
  return new IncomingHarness(api, space, await space.person('admin'), new ChatFixture(api.db, space.spaceId));
}

/** Returns Unix seconds, `offset` from now. */
export const unixSeconds = (offset = 0): string => String(Math.floor(Date.now() / 1000) + offset);

/** Signs a body with the native scheme, without using the code under test. */
export function native(
  secret: string,
  body: string | Buffer,
  timestamp = unixSeconds(),
): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'x-service-timestamp': timestamp,
    'x-service-signature': `sha256=${digest}`,
  };
}

/**
 * Signs a body with the compat scheme, without using the code under test. `prefix` is `compat` or
 * `slack`.
 */
export function compat(
  secret: string,
  body: string | Buffer,
  timestamp = unixSeconds(),
  prefix = 'compat',
): Record<string, string> {
  const digest = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    [`x-${prefix}-request-timestamp`]: timestamp,
    [`x-${prefix}-signature`]: `v0=${digest}`,
  };
}
