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

/** What every refusal looks like. */
export const REJECTED = { ok: false, error: 'request rejected' };

/** A webhook made by {@link IncomingRig.webhook}. */
export interface MadeWebhook {
  id: string;
  token: string;
  secret: string;
  conversationId: string;
}

/** What a posted request was answered. */
export interface PostAnswer {
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
 * The addresses of webhooks, admin endpoints and history in one process, with a space and its
 * admin.
 */
export class IncomingRig {
  constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
    readonly admin: SeededPerson,
    readonly chat: ChatFixture,
  ) {}

  /** Another space on the same system. */
  otherSpace(plan: Plan = 'enterprise'): Promise<IncomingRig> {
    return rigOn(this.api, plan);
  }

  /** Calls an endpoint below /api/v1/admin as the space's admin. */
  call(method: string, path: string, body?: unknown, token = this.admin.token): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token, body });
  }

  /** A public channel with the owner as member. */
  channel(scope: 'public' | 'private' = 'public'): Promise<string> {
    return this.chat.conversation({ scope, members: [{ id: this.space.owner.id, type: 'user' }] });
  }

  /** Makes a webhook, unsigned unless told otherwise, in a channel of its own. */
  async webhook(settings: Record<string, unknown> = {}): Promise<MadeWebhook> {
    const conversationId = (settings['conversation_id'] as string | undefined) ?? (await this.channel());
    const { status, body } = await this.call('POST', '/incoming_webhooks', {
      name: 'Alerts',
      require_signature: false,
      ...settings,
      conversation_id: conversationId,
    });
    if (status !== 201) throw new Error(`the webhook was refused: ${JSON.stringify(body)}`);
    return { id: body.webhook.id, token: body.token, secret: body.signing_secret, conversationId };
  }

  /** Posts bytes to the address of a webhook. Objects are sent as JSON. */
  async send(
    path: string,
    body: unknown,
    headers: Record<string, string> = { 'content-type': 'application/json' },
    method = 'POST',
  ): Promise<PostAnswer> {
    const bytes =
      typeof body === 'string'
        ? Buffer.from(body)
        : Buffer.isBuffer(body)
          ? body
          : Buffer.from(JSON.stringify(body));
    // As a Buffer the body has no content type unless the headers name one.
    const response = await fetch(`${this.api.url}${path}`, {
      method,
      headers,
      ...(method !== 'GET' && method !== 'HEAD' && { body: new Uint8Array(bytes) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parsed(text) };
  }

  /** Posts to a webhook by its token. */
  post(
    webhook: Pick<MadeWebhook, 'token'>,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<PostAnswer> {
    return this.send(`/api/v1/webhooks/incoming/${webhook.token}`, body, headers);
  }

  /** A webhook's messages as its channel's history shows them to the owner, oldest first. */
  async history({ conversationId }: Pick<MadeWebhook, 'conversationId'>): Promise<TestAnswer['body'][]> {
    const { body } = await this.api.call('GET', `/api/v1/channels/${conversationId}/messages?limit=200`, {
      token: this.space.owner.token,
    });
    return body.messages;
  }

  /** A webhook's request log, newest first. */
  async requests({ id }: Pick<MadeWebhook, 'id'>, query = ''): Promise<LogEntry[]> {
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
 * Starts everything on a database of its own (and on Redis where the tests have one). Close it in
 * `afterAll`.
 */
export async function startIncomingRig(
  env: Record<string, string> = {},
  plan: Plan = 'enterprise',
): Promise<IncomingRig> {
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
  return rigOn(
    await startTestApi(imports, { ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }), ...env }),
    plan,
  );
}

async function rigOn(api: TestApi, plan: Plan): Promise<IncomingRig> {
  const space = await seedSpace(api.db, { plan });
  return new IncomingRig(api, space, await space.person('admin'), new ChatFixture(api.db, space.spaceId));
}

/** Unix seconds, `offset` away from now. */
export const unixSeconds = (offset = 0): string => String(Math.floor(Date.now() / 1000) + offset);

/** The contract's native scheme, written out (Authentication 3). */
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

/** The contract's compat scheme, written out; `prefix` is `compat` or `slack`. */
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
