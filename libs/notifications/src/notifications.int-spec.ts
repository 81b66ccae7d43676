import { createPublicKey, createVerify } from 'node:crypto';
import { Global, Module } from '@nestjs/common';
import { BusModule } from '@tieline/live';
import { runInWorkerTx } from '@tieline/platform/database';
import { DeliveryModule, OutboxModule, RelayModule } from '@tieline/delivery';
import { EgressModule, EgressPolicy, PUBLIC_POLICY_FOR_TESTS } from '@tieline/egress';
import { Metrics, ObservabilityModule } from '@tieline/platform/observability';
import { QueueModule, QueueWorkerModule } from '@tieline/queue';
import { RateLimitModule } from '@tieline/rate-limit';
import { SigningModule } from '@tieline/signing';
import {
  eventually,
  EventStreamClient,
  FailureLog,
  startReceiver,
  testRedisUrl,
  readRows,
} from '@tieline/testing';
import type { ReceivedRequest, Receiver } from '@tieline/testing';
import { SpacesModule } from '@tieline/spaces';
import { seedSpace, startTestApi, TestBrowser } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace, TestAnswer, TestApi } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import type { MessageNotice } from '@tieline/conversations';
import { ClientStreamModule } from '@tieline/live-stream';
import { ConversationsModule, PostMessage } from '@tieline/conversations';
import { ChatFixture, createMessage, editMessage, withStubs } from '@tieline/conversations/testing';
import { Browser, OFF_CURVE } from './testing/browser.js';
import { ADD_SUBSCRIPTION } from './push/push.statements.js';
import { NotificationsModule, NotificationsWorkerModule } from './notifications.module.js';

/** Lets receivers on loopback act as push services. */
@Global()
@Module({
  providers: [
    {
      provide: PUBLIC_POLICY_FOR_TESTS,
      useValue: new EgressPolicy({ allowHttp: true, allowedCidrs: ['127.0.0.0/8'] }),
    },
  ],
  exports: [PUBLIC_POLICY_FOR_TESTS],
})
class LoopbackPushServices {}

const { failures, logger } = new FailureLog('relay', 'delivery', 'notifications');

let api: TestApi;
let space: SeededSpace;
let ann: SeededPerson;
let bob: SeededPerson;
let channel: string;
const receivers: Receiver[] = [];

beforeAll(async () => {
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
  api = await startTestApi(
    withStubs([
      LoopbackPushServices,
      ...platform,
      SpacesModule,
      ConversationsModule,
      ClientStreamModule,
      NotificationsModule,
      NotificationsWorkerModule,
    ]),
    {
      ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
      DELIVERY_BACKOFF_INITIAL_MS: '20',
      DELIVERY_BACKOFF_MAX_MS: '40',
      PUBLIC_URL: 'https://chat.example',
    },
  );
});
beforeEach(async () => {
  space = await seedSpace(api.db, { plan: 'enterprise' });
  ann = await space.person('member', 'Ann');
  bob = await space.person('member', 'Bob');
  channel = await new ChatFixture(api.db, space.spaceId).conversation({
    members: [ann, bob].map(({ id }) => ({ id, type: 'user' as const })),
  });
});
afterAll(async () => {
  await api?.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  expect(failures).toEqual([]);
});

const HOOK = uuidv7();

/** Posts as an incoming webhook does. */
async function post(
  notify: Partial<MessageNotice> = {},
  more: { text?: string; metadataJson?: string } = {},
): Promise<string> {
  const notice: MessageNotice = {
    severity: 'warning',
    default_push: true,
    mentions: [],
    channel: false,
    here: false,
    ...notify,
  };
  const created = await api.app.get(PostMessage).run({
    spaceId: space.spaceId,
    conversationId: channel,
    author: { id: HOOK, type: 'webhook' },
    text: 'disk is full',
    displayName: 'Monitor',
    access: 'granted',
    notify: notice,
    ...more,
  });
  if ('refused' in created) throw new Error(created.refused);
  return created.messageId;
}

const call = (person: SeededPerson, method: string, path: string, body?: unknown): Promise<TestAnswer> =>
  api.call(method, `/api/v1/client/${path}`, { token: person.token, body });

async function notificationsOf(person: SeededPerson, messageId: string): Promise<TestAnswer['body'][]> {
  return (await call(person, 'GET', 'notifications')).body.notifications.filter(
    ({ message_id: id }: { message_id: string }) => id === messageId,
  );
}

/** Resolves when all posted messages have been processed. */
async function settled(): Promise<void> {
  await eventually(
    async () =>
      (await api.db.query('SELECT 1 FROM outbox UNION ALL SELECT 1 FROM notification_jobs LIMIT 1'))
        .length === 0,
  );
}

const kinds = async (messageId: string): Promise<unknown[]> => {
  await settled();
  return Promise.all(
    [ann, bob].map(async (person) => (await notificationsOf(person, messageId)).map(({ kind }) => kind)),
  );
};

describe('recipients', () => {
  test('every member is notified in the app; a mention pushes', async () => {
    const messageId = await post({ mentions: [bob.id], severity: 'critical' });
    expect(await kinds(messageId)).toEqual([['in_app'], ['push']]);
    expect(await notificationsOf(bob, messageId)).toEqual([
      {
        id: expect.any(String),
        message_id: messageId,
        conversation_id: channel,
        kind: 'push',
        severity: 'critical',
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('messages of a shared statement and of separate transactions are treated alike', async () => {
    const ordinary = await Promise.all([
      post({ channel: true }),
      post({ channel: true }),
      post({ channel: true }),
    ]);
    const own = await runInWorkerTx(api.db, (tx) =>
      createMessage.in(tx, {
        spaceId: space.spaceId,
        conversationId: channel,
        author: { id: HOOK, type: 'webhook' },
        text: 'x',
        access: 'granted',
        notify: { severity: 'warning', default_push: true, mentions: [], channel: true, here: false },
      }),
    );
    if ('refused' in own) throw new Error(own.refused);
    for (const messageId of [...ordinary, own.messageId])
      expect(await kinds(messageId)).toEqual([['push'], ['push']]);
  });

  test('a message that became more urgent notifies again, with one notification each of the stronger kind', async () => {
    const messageId = await post({ channel: true });
    const again = (severity: 'critical' | 'warning', mentions: string[]): Promise<unknown> =>
      runInWorkerTx(api.db, (tx) =>
        editMessage.in(tx, {
          spaceId: space.spaceId,
          messageId,
          editor: { id: HOOK, type: 'webhook' },
          access: 'answer',
          text: 'disk is really full',
          notify: { severity, default_push: true, mentions, channel: false, here: false },
        }),
      );
    expect(await kinds(messageId)).toEqual([['push'], ['push']]);
    await again('critical', [ann.id]);
    expect(await kinds(messageId)).toEqual([['push'], ['push']]);
    expect(await notificationsOf(bob, messageId)).toMatchObject([{ severity: 'critical' }]);
    // Both in one batch.
    await Promise.all([again('warning', []), again('critical', [])]);
    expect(await kinds(messageId)).toEqual([['push'], ['push']]);
  });

  test('mute, DND and quiet hours are respected', async () => {
    await call(ann, 'PUT', `conversations/${channel}/mute`, { muted: true });
    await call(bob, 'PATCH', 'me', {
      notifications: { dnd_until: new Date(Date.now() + 3_600_000).toISOString() },
    });
    expect(await kinds(await post({ channel: true }))).toEqual([['in_app'], ['in_app']]);
    expect(await kinds(await post({ channel: true, severity: 'critical' }))).toEqual([['in_app'], ['push']]);
  });

  test('@here reaches people who are online and not viewing the conversation', async () => {
    const stream = await EventStreamClient.open(`${api.url}/api/v1/client/stream`, ann.token);
    try {
      await eventually(
        async () =>
          (await api.db.query('SELECT 1 FROM client_presence WHERE user_id = $1', [ann.id])).length === 1,
      );
      expect(await kinds(await post({ here: true }))).toEqual([['push'], ['in_app']]);
      await call(ann, 'PUT', 'focus', { conversation_id: channel });
      expect(await kinds(await post({ here: true }))).toEqual([['in_app'], ['in_app']]);
    } finally {
      stream.close();
    }
  });

  test('people who left, are deactivated or are in another conversation are not notified', async () => {
    const olga = await space.person('member', 'Olga');
    await api.db.query('UPDATE users SET is_active = false WHERE id = $1', [bob.id]);
    const messageId = await post({ channel: true, mentions: [olga.id] });
    await settled();
    expect(await notificationsOf(olga, messageId)).toEqual([]);
    expect(
      await api.db.query('SELECT user_id FROM notifications WHERE message_id = $1', [messageId]),
    ).toEqual([{ user_id: ann.id }]);
  });

  test('the card of an approval notifies members by role and named people, and no one else', async () => {
    const olga = await space.person('guest', 'Olga');
    const approval = { approval_id: uuidv7(), actions: [], user_ids: [olga.id], roles: ['member' as const] };
    const messageId = await post({ channel: true, approval: { ...approval, except: bob.id } });
    expect(await kinds(messageId)).toEqual([['push'], []]);
    expect(await notificationsOf(olga, messageId)).toMatchObject([{ kind: 'push' }]);
  });

  test('a message without a notice notifies no one', async () => {
    const created = await api.app.get(PostMessage).run({
      spaceId: space.spaceId,
      conversationId: channel,
      author: { id: ann.id, type: 'user' },
      text: '@channel',
    });
    if ('refused' in created) throw new Error(created.refused);
    expect(await kinds(created.messageId)).toEqual([[], []]);
  });

  test('ten thousand members', async () => {
    await api.db.query(
      `INSERT INTO users (space_id, id, display_name, role, token_hash) SELECT $1, gen_random_uuid(), 'x', 'member', sha256(convert_to(gen_random_uuid()::text, 'UTF8')) FROM generate_series(1, 10000)`,
      [space.spaceId],
    );
    await api.db.query(
      `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) SELECT $1, $2, id, 'user' FROM users WHERE space_id = $1 ON CONFLICT DO NOTHING`,
      [space.spaceId, channel],
    );
    const messageId = await post({ channel: true });
    await settled();
    const [row] = await readRows<{ pushes: number; people: number }>(
      api.db,
      `SELECT count(*) FILTER (WHERE kind = 'push')::int AS pushes, count(DISTINCT user_id)::int AS people FROM notifications WHERE message_id = $1`,
      [messageId],
    );
    expect(row).toEqual({ pushes: 10_003, people: 10_003 });
  });
});

test("open streams receive their person's notifications only", async () => {
  const [mine, theirs] = await Promise.all(
    [ann, bob].map(({ token }) => EventStreamClient.open(`${api.url}/api/v1/client/stream`, token)),
  );
  if (!mine || !theirs) throw new Error('no stream');
  try {
    await eventually(
      async () =>
        (await api.db.query('SELECT 1 FROM client_presence WHERE user_id = ANY($1)', [[ann.id, bob.id]]))
          .length === 2,
    );
    const messageId = await post({ mentions: [ann.id] });
    const heard = (stream: EventStreamClient) =>
      stream.events.filter(({ event }) => event === 'notification');
    for (const stream of [mine, theirs]) await stream.until((open) => heard(open).length > 0);
    expect(heard(mine)).toEqual([{ event: 'notification', ...(await notificationsOf(ann, messageId))[0] }]);
    expect(heard(theirs)).toEqual([{ event: 'notification', ...(await notificationsOf(bob, messageId))[0] }]);
  } finally {
    mine.close();
    theirs.close();
  }
});

test("the list is paginated, newest first, and contains only the caller's own", async () => {
  const messages = [await post(), await post(), await post()].reverse();
  await settled();
  const first = (await call(ann, 'GET', 'notifications?limit=2')).body;
  const second = (await call(ann, 'GET', `notifications?limit=2&cursor=${first.next_cursor}`)).body;
  expect(
    [...first.notifications, ...second.notifications].map(({ message_id: id }: { message_id: string }) => id),
  ).toEqual(messages);
  expect(second.next_cursor).toBe('');
  for (const query of ['limit=0', 'limit=201', 'cursor=x'])
    expect((await call(ann, 'GET', `notifications?${query}`)).status).toBe(400);
});

test('a message that cannot be notified of is counted, and logged by ids without its text', async () => {
  const [row] = await readRows<{ message_id: string }>(
    api.db,
    `INSERT INTO notification_jobs (space_id, event_id, message_id, conversation_id, channel_id, notice, occurred_at, attempts)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, $2, '{"severity": "disaster", "mentions": [], "body": "a secret"}', now(), 7) RETURNING message_id`,
    [space.spaceId, channel],
  );
  expect(await api.app.get(Metrics).text()).toContain('tieline_notification_messages_waiting{state="new"}');
  await post();
  await settled();
  await eventually(() => failures.length > 0); // The worker logs after the commit.
  const [line = new Error('nothing was logged')] = failures.splice(0);
  expect(JSON.parse(line.message)).toMatchObject({
    space_id: space.spaceId,
    message_id: row?.message_id,
    attempts: 8,
  });
  expect(line.message).not.toContain('secret');
  expect(await api.app.get(Metrics).text()).toMatch(
    /tieline_notification_messages_total\{outcome="rejected"\} 1/,
  );
  expect(await api.db.query('SELECT message_id FROM notification_rejected')).toEqual([row]);
});

/** Registers a browser of a person with its own push service. */
async function subscribed(
  person: SeededPerson,
): Promise<{ browser: Browser; service: Receiver; id: string }> {
  const [browser, service] = [new Browser(), await startReceiver(201)];
  receivers.push(service);
  const { status, body } = await call(person, 'POST', 'push_subscriptions', {
    endpoint: `${service.url}/send/1`,
    expirationTime: null,
    keys: browser.keys,
  });
  expect(status).toBe(200);
  return { browser, service, id: body.id };
}

/** Checks the token as a push service does (RFC 8292) and returns its claims. */
async function claimsOf({ headers }: ReceivedRequest): Promise<Record<string, unknown>> {
  const match = /^vapid t=([^.]+)\.([^.]+)\.([^,]+), k=(.+)$/.exec(headers.authorization ?? '');
  const [, head, claims, signature, key] = match as unknown as string[];
  expect(key).toBe((await call(ann, 'GET', 'push_key')).body.public_key);
  const point = Buffer.from(key as string, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const verify = createVerify('sha256').update(`${head}.${claims}`);
  expect(
    verify.verify(
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      signature as string,
      'base64url',
    ),
  ).toBe(true);
  return JSON.parse(Buffer.from(claims as string, 'base64url').toString()) as Record<string, unknown>;
}

describe('Web Push', () => {
  test('a push is readable only by its device and proves its sender', async () => {
    const { browser, service } = await subscribed(ann);
    const messageId = await post({ mentions: [ann.id], severity: 'critical' });
    const [request] = (await service.waitFor(1)) as [ReceivedRequest];
    expect(request).toMatchObject({
      method: 'POST',
      url: '/send/1',
      headers: { 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' },
    });
    const [{ id }] = (await notificationsOf(ann, messageId)) as [{ id: string }];
    expect(browser.read(request)).toEqual({
      notification_id: id,
      message_id: messageId,
      conversation_id: channel,
      severity: 'critical',
      title: 'Monitor',
      body: 'disk is full',
    });
    const claims = await claimsOf(request);
    expect(claims).toMatchObject({ aud: new URL(service.url).origin, sub: 'https://chat.example' });
    expect(Number(claims['exp'])).toBeGreaterThan(Date.now() / 1000);
    expect(Number(claims['exp'])).toBeLessThan(Date.now() / 1000 + 86_400);
  });

  test('the push of an approval offers to approve and to deny', async () => {
    const { browser, service } = await subscribed(ann);
    const actions = [{ action: 'deny' as const, option_id: 'no', title: 'No' }];
    await post({ channel: true, approval: { approval_id: HOOK, actions, user_ids: [ann.id], roles: [] } });
    const [request] = await service.waitFor(1);
    expect(browser.read(request!)).toMatchObject({ approval_id: HOOK, actions });
  });

  test('in-app notifications are not pushed', async () => {
    const { service } = await subscribed(ann);
    await post({ mentions: [bob.id] });
    await settled();
    const messageId = await post({ mentions: [ann.id] });
    const requests = await service.waitFor(1);
    expect(requests).toHaveLength(1);
    expect(await kinds(messageId)).toEqual([['push'], ['in_app']]);
  });

  test.each([404, 410])(
    'a device that answers %i is sent nothing more, and the list does not reveal that',
    async (status) => {
      const { service, browser, id } = await subscribed(ann);
      const devices = async () => (await call(ann, 'GET', 'push_subscriptions')).body.push_subscriptions;
      const before = await devices();
      service.respond(status);
      await post({ mentions: [ann.id] });
      await eventually(async () => {
        const [row] = await readRows<{ gone: boolean }>(
          api.db,
          'SELECT gone_at IS NOT NULL AS gone FROM push_subscriptions WHERE id = $1',
          [id],
        );
        return row?.gone === true;
      });
      expect(await devices()).toEqual(before);
      service.respond(201);
      const other = await subscribed(ann);
      await post({ mentions: [ann.id] });
      await other.service.waitFor(1);
      expect(service.requests).toHaveLength(1);
      // The browser has come back with its old address.
      const again = { endpoint: `${service.url}/send/1`, keys: browser.keys };
      expect((await call(ann, 'POST', 'push_subscriptions', again)).body).toEqual({ ok: true, id });
      await post({ mentions: [ann.id] });
      await service.waitFor(2);
    },
  );

  test('an unavailable device is tried four times in total and kept', async () => {
    const { service, id } = await subscribed(ann);
    service.respond(503);
    await post({ mentions: [ann.id] });
    await eventually(
      async () =>
        (await api.db.query(`SELECT 1 FROM deliveries WHERE target_id = $1 AND status = 'dead'`, [id]))
          .length === 1,
    );
    expect(service.requests).toHaveLength(4);
    expect(await api.db.query('SELECT 1 FROM push_subscriptions WHERE id = $1', [id])).toHaveLength(1);
  });

  test("the same endpoint is the same device; other people's devices cannot be removed", async () => {
    const { service, browser, id } = await subscribed(ann);
    const again = await call(ann, 'POST', 'push_subscriptions', {
      endpoint: `${service.url}/send/1`,
      keys: browser.keys,
    });
    expect(again.body).toEqual({ ok: true, id });
    expect((await call(bob, 'DELETE', `push_subscriptions/${id}`)).status).toBe(404);
    expect((await call(ann, 'DELETE', `push_subscriptions/${id}`)).body).toEqual({ ok: true });
    expect((await call(ann, 'DELETE', `push_subscriptions/${id}`)).status).toBe(404);
  });

  test('a person sees their own devices, newest first', async () => {
    const [first, second] = [await subscribed(ann), await subscribed(ann)];
    await subscribed(bob);
    const { status, body } = await call(ann, 'GET', 'push_subscriptions');
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        push_subscriptions: [second, first].map(({ service, id }) => ({
          ...{ id, endpoint: `${service.url}/send/1` },
          created_at: expect.stringMatching(/Z$/),
        })),
      },
    ]);
  });

  test('a new token of a person removes the devices added with the old one', async () => {
    const { id } = await subscribed(ann);
    const { id: others } = await subscribed(bob);
    await api.db.query("UPDATE users SET display_name = 'Ann' WHERE id = $1", [ann.id]);
    expect(await api.db.query('SELECT 1 FROM push_subscriptions WHERE id = $1', [id])).toHaveLength(1);
    await api.db.query("UPDATE users SET token_hash = sha256('new') WHERE id = $1", [ann.id]);
    const left = await readRows<{ id: string }>(
      api.db,
      'SELECT id FROM push_subscriptions WHERE id = ANY ($1)',
      [[id, others]],
    );
    expect(left).toEqual([{ id: others }]);
  });

  test('a browser added in a session is removed with it, and receives nothing after the session expires', async () => {
    const add = async (session: TestBrowser) => {
      const [browser, service] = [new Browser(), await startReceiver(201)];
      receivers.push(service);
      const body = { endpoint: `${service.url}/send/1`, keys: browser.keys };
      const answer = await session.call('POST', '/api/v1/client/push_subscriptions', { body });
      expect(answer.status).toBe(200);
      return { service, id: answer.body.id as string };
    };
    const signIn = () => TestBrowser.open(api, { token: ann.token });
    const [left, open, over] = [await signIn(), await signIn(), await signIn()];
    const [gone, kept, late] = [await add(left), await add(open), await add(over)];
    const byToken = await subscribed(ann);
    await left.call('DELETE', '/api/v1/client/session');
    const { push_subscriptions: devices } = (await call(ann, 'GET', 'push_subscriptions')).body;
    expect(devices.map(({ id }: { id: string }) => id)).toEqual([byToken.id, late.id, kept.id]);
    await api.db.query(
      `UPDATE sessions SET expires_at = now() WHERE id = (SELECT session_id FROM push_subscriptions WHERE id = $1)`,
      [late.id],
    );
    await post({ mentions: [ann.id] });
    await Promise.all([kept.service.waitFor(1), byToken.service.waitFor(1)]);
    await eventually(
      async () =>
        (await api.db.query(`SELECT 1 FROM deliveries WHERE target_id = $1 AND status = 'dead'`, [late.id]))
          .length === 1,
    );
    expect([gone.service.requests, late.service.requests]).toEqual([[], []]);
  });

  test('a device is not registered if its session has ended in between', async () => {
    const { p256dh, auth } = new Browser().keys;
    const device = {
      spaceId: space.spaceId,
      userId: ann.id,
      id: uuidv7(),
      endpoint: 'https://push.example/late',
      p256dh,
      auth,
    };
    const register = (sessionHash: Buffer | null): Promise<unknown[]> =>
      api.db.query(ADD_SUBSCRIPTION, { ...device, sessionHash });
    expect(await register(Buffer.alloc(32))).toEqual([]);
    expect(await register(null)).toHaveLength(1);
  });

  test('a device with an unusable key does not delay other notifications', async () => {
    const { id } = await subscribed(bob);
    await api.db.query('UPDATE push_subscriptions SET p256dh = $2 WHERE id = $1', [id, OFF_CURVE]);
    const { service } = await subscribed(ann);
    const messageId = await post({ channel: true });
    await service.waitFor(1);
    expect(await kinds(messageId)).toEqual([['push'], ['push']]);
  });

  test('the twenty-first device replaces the oldest', async () => {
    const { keys } = new Browser();
    const ids: string[] = [];
    for (let n = 0; n < 21; n++)
      ids.push(
        (await call(ann, 'POST', 'push_subscriptions', { endpoint: `http://127.0.0.1:9/${n}`, keys })).body
          .id,
      );
    const kept = (
      await readRows<{ id: string }>(api.db, 'SELECT id FROM push_subscriptions WHERE user_id = $1', [ann.id])
    ).map(({ id }) => id);
    expect(kept.sort()).toEqual(ids.slice(1).sort());
  });

  test.each<[string, (keys: object) => unknown]>([
    ['no endpoint', (keys) => ({ keys })],
    ['no URL', (keys) => ({ endpoint: 'x', keys })],
    ['an address that outgoing requests may not reach', (keys) => ({ endpoint: 'https://10.0.0.1/', keys })],
    ['no keys', () => ({ endpoint: 'https://push.example/' })],
    ['keys of a wrong type', () => ({ endpoint: 'https://push.example/', keys: 'x' })],
    ['a short key', (keys) => ({ endpoint: 'https://push.example/', keys: { ...keys, p256dh: 'BAAA' } })],
    [
      'a key that is not a point on the curve',
      (keys) => ({ endpoint: 'https://push.example/', keys: { ...keys, p256dh: OFF_CURVE } }),
    ],
    ['no auth', (keys) => ({ endpoint: 'https://push.example/', keys: { ...keys, auth: undefined } })],
  ])('400: %s', async (_what, body) => {
    expect(await call(ann, 'POST', 'push_subscriptions', body(new Browser().keys))).toMatchObject({
      status: 400,
      body: { ok: false, error: expect.any(String) },
    });
  });
});
