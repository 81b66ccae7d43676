import { createHmac } from 'node:crypto';
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
import type { ReceivedRequest, Receiver } from '@tieline/testing';
import { SpacesAdminModule, SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { Webhook } from 'standardwebhooks';
import { OutgoingWebhooksAdminModule } from '../outgoing-webhooks-admin.module.js';
import { PortalModule } from '../portal/portal.module.js';
import { OutgoingWebhooksWorkerModule } from '../outgoing-webhooks-worker.module.js';

/** Advisory lock of the planning transaction. Holding it blocks the relay. */
export const PLAN_LOCK = ADVISORY_LOCKS.planning;

type Plan = NonNullable<NonNullable<Parameters<typeof seedSpace>[1]>['plan']>;

/** A subscription created by {@link OutgoingHarness.subscribe}. */
export interface TestSubscription {
  id: string;
  secret: string;
  receiver: Receiver;
}

/** Admin endpoints, relay and delivery engine in one process, with a space and receivers. */
export class OutgoingHarness {
  constructor(
    readonly api: TestApi,
    readonly space: SeededSpace,
    readonly admin: SeededPerson,
    readonly chat: ChatFixture,
    readonly failures: unknown[],
    /** Shared by all spaces of the system, so that closing it closes all receivers. */
    private readonly receivers: Receiver[],
  ) {}

  /** Calls an endpoint below /api/v1/admin as the space's admin. */
  call(method: string, path: string, body?: unknown, token = this.admin.token): Promise<TestAnswer> {
    return this.api.call(method, `/api/v1/admin${path}`, { token, body });
  }

  /** Creates another space on the same system. */
  async otherSpace(plan: Plan = 'enterprise'): Promise<OutgoingHarness> {
    return harnessOn(this.api, this.failures, this.receivers, plan);
  }

  /** Creates a subscription with its own receiver. */
  async subscribe(settings: Record<string, unknown> = {}): Promise<TestSubscription> {
    const receiver = await startReceiver();
    this.receivers.push(receiver);
    const body = { name: 'test', url: `${receiver.url}/hook`, event_types: ['MESSAGE_CREATED'], ...settings };
    const response = await this.call('POST', '/outgoing_webhooks', body);
    if (response.status !== 201)
      throw new Error(`the subscription was not created: ${JSON.stringify(response.body)}`);
    return { id: response.body.subscription.id, secret: response.body.signing_secret, receiver };
  }

  /** Creates a channel with the owner as a member. */
  async channel(scope: 'public' | 'private' = 'public'): Promise<string> {
    return this.chat.conversation({ scope, members: [{ id: this.space.owner.id, type: 'user' }] });
  }

  /** Posts as the owner. */
  post(
    conversationId: string,
    text: string,
    more: Parameters<ChatFixture['post']>[3] = {},
  ): ReturnType<ChatFixture['post']> {
    return this.chat.post(conversationId, { id: this.space.owner.id, type: 'user' }, text, more);
  }

  /** Resolves when the outbox is empty, so that all committed events have been planned. */
  async planned(): Promise<void> {
    await eventually(async () => (await this.api.db.query('SELECT 1 FROM outbox LIMIT 1')).length === 0);
  }

  /** Resolves when a target has no queued deliveries. */
  async sent(targetId: string): Promise<void> {
    await this.planned();
    await eventually(
      async () =>
        (await this.api.db.query('SELECT 1 FROM delivery_queue WHERE target_id = $1', [targetId])).length ===
        0,
    );
  }

  /** Returns a subscription's delivery log, newest first. */
  async deliveries(id: string, query = ''): Promise<TestAnswer['body'][]> {
    return (await this.call('GET', `/outgoing_webhooks/${id}/deliveries${query}`)).body.deliveries;
  }

  /** After each test: deletes the space's subscriptions and closes their receivers. */
  async clear(): Promise<void> {
    const { body } = await this.call('GET', '/outgoing_webhooks?limit=200');
    for (const { id } of body.subscriptions) await this.call('DELETE', `/outgoing_webhooks/${id}`);
    await Promise.all(this.receivers.splice(0).map((receiver) => receiver.close()));
  }

  /** Stops everything. @throws AggregateError when relay or engine logged a failure */
  async close(): Promise<void> {
    await Promise.all(this.receivers.splice(0).map((receiver) => receiver.close()));
    const failures = [...this.failures];
    await this.api.close();
    if (failures.length > 0) throw new AggregateError(failures, 'relay or engine had failures');
  }
}

/**
 * Starts the harness on a new database, and on Redis if the tests have one, with fast retries.
 * Close it in `afterAll`.
 */
export async function startOutgoingHarness(
  env: Record<string, string> = {},
  plan: Plan = 'enterprise',
): Promise<OutgoingHarness> {
  const { failures, logger } = new FailureLog('relay', 'delivery');
  const imports = withStubs([
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
    SpacesModule,
    SpacesAdminModule,
    OutgoingWebhooksAdminModule.redelivering({}),
    PortalModule,
    OutgoingWebhooksWorkerModule,
  ]);
  const redisUrl = await testRedisUrl();
  const api = await startTestApi(imports, {
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
    EGRESS_ALLOW_HTTP: 'true',
    EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
    DELIVERY_BACKOFF_INITIAL_MS: '20',
    DELIVERY_BACKOFF_MAX_MS: '40',
    DELIVERY_MAX_ATTEMPTS: '3',
    // On a busy machine an attempt takes its time and is still one attempt.
    DELIVERY_TIMEOUT_MS: '60000',
    ...env,
  });
  return harnessOn(api, failures, [], plan);
}

async function harnessOn(
  api: TestApi,
  failures: unknown[],
  receivers: Receiver[],
  plan: Plan,
): Promise<OutgoingHarness> {
  const space = await seedSpace(api.db, { plan });
  const admin = await space.person('admin');
  return new OutgoingHarness(api, space, admin, new ChatFixture(api.db, space.spaceId), failures, receivers);
}

/** Parses the JSON body of a received request. */
export const parse = (request: ReceivedRequest | undefined): TestAnswer['body'] =>
  JSON.parse(request?.body.toString() ?? 'null');

/** Computes the signature of a request without using the code under test. */
export function contractSignature(secret: string, request: ReceivedRequest): string {
  const signed = createHmac('sha256', secret)
    .update(`v1:${String(request.headers['x-service-timestamp'])}:`)
    .update(request.body);
  return `sha256=${signed.digest('hex')}`;
}

/** Verifies a request with the standardwebhooks library. @throws WebhookVerificationError */
export function standardVerifies(secret: string, request: ReceivedRequest): boolean {
  return (
    new Webhook(secret).verify(request.body.toString(), request.headers as Record<string, string>) !==
    undefined
  );
}
