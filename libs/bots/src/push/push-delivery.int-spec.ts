import { createHmac } from 'node:crypto';
import { eventually, failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import { findDelivery } from '@tieline/delivery';
import { Webhook } from 'standardwebhooks';
import { BY_SYSTEM } from '@tieline/spaces';
import { redeliverPush } from './deliveries/redeliver-push.js';
import { EventsHarness } from '../testing/events-harness.js';
import type { PushedBot } from '../testing/events-harness.js';
import { beforePlanning } from '../events/testing/planning.js';

let harness: EventsHarness;
let channel: string;

beforeAll(async () => {
  harness = await EventsHarness.start();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

/** Parses the received JSON. */
const parse = (request: ReceivedRequest | undefined) => JSON.parse(request?.body.toString() ?? 'null');
/** The X-Service signature, computed independently. */
const contractSignature = (secret: string, { headers, body }: ReceivedRequest): string =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(headers['x-service-timestamp'])}.`)
    .update(body)
    .digest('hex')}`;
/** @throws WebhookVerificationError */
const standardVerifies = (secret: string, { body, headers }: ReceivedRequest): boolean =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>) !== undefined;
const detailOf = async (bot: PushedBot, n = 0) =>
  findDelivery(harness.api.db, harness.space.spaceId, (await harness.deliveries(bot))[n].delivery_id);
const isPending = (bot: PushedBot) =>
  eventually(async () =>
    expect(await harness.deliveries(bot)).toMatchObject([{ status: 'pending', attempts: 1 }]),
  );
/** Postpones the delivery, so that it stays pending as long as the test needs. */
const WAIT = { status: 503, headers: { 'retry-after': '60' } };
/** Makes pending deliveries due now. */
const hurry = ({ id }: PushedBot) =>
  harness.api.db.query('UPDATE delivery_queue SET due_at = now() WHERE target_id = $1', [id]);

describe('a push', () => {
  test('carries the envelope and both signatures', async () => {
    const bot = await harness.pushedBot();
    const { messageId, msgIndex, sentAt, eventId } = await harness.post(channel, 'héllo ✓');
    const [request] = (await bot.receiver.waitFor(1)) as [ReceivedRequest];
    expect(request).toMatchObject({ method: 'POST', url: '/bot' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Tieline\/\d/),
      'x-service-signature': contractSignature(bot.secret, request),
      'x-service-attempt': '1',
      'webhook-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/),
      'webhook-timestamp': request.headers['x-service-timestamp'],
    });
    expect(Math.abs(Number(request.headers['x-service-timestamp']) - Date.now() / 1000)).toBeLessThan(10);
    expect(standardVerifies(bot.secret, request)).toBe(true);
    const body = parse(request);
    expect(Object.keys(body).sort()).toEqual([
      'actor_user_id',
      'conversation_id',
      'data',
      'event_id',
      'event_type',
      'occurred_at',
      'schema_version',
      'space_id',
      'thread_id',
    ]);
    expect(body).toMatchObject({
      event_id: eventId,
      event_type: 'MESSAGE_CREATED',
      space_id: harness.space.spaceId,
      conversation_id: channel,
      thread_id: '',
      actor_user_id: harness.owner.id,
      schema_version: 1,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { message_id: messageId, text: 'héllo ✓', msg_index: msgIndex, sent_at: sentAt },
    });
    await harness.sent(bot);
    expect(await harness.deliveries(bot)).toEqual([
      {
        delivery_id: request.headers['webhook-id'],
        event_id: eventId,
        event_type: 'MESSAGE_CREATED',
        status: 'success',
        attempts: 1,
        next_attempt_at: null,
        last_status_code: 200,
        last_duration_ms: expect.any(Number),
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
  });

  test('of a reply names the thread and its root', async () => {
    const bot = await harness.pushedBot();
    const { messageId } = await harness.post(channel, 'root');
    await harness.post(channel, 'reply', { parentMessageId: messageId });
    const { data, thread_id, conversation_id } = parse(
      await bot.receiver.waitFor((request) => parse(request).data.text === 'reply'),
    );
    expect({ thread_id, conversation_id }).toEqual({
      thread_id: messageId,
      conversation_id: data.conversation_id,
    });
    expect(data).toMatchObject({
      thread_id: messageId,
      parent_message_id: messageId,
      conversation_context: { type: 'thread', parent_conversation_id: channel },
    });
  });

  test('is signed again for every attempt with the current secret; id and body stay', async () => {
    const bot = await harness.pushedBot();
    let rotated = '';
    bot.receiver.respond(async () => {
      if (bot.receiver.requests.length > 1) return 200;
      rotated = (await harness.api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token }))
        .body.signing_secret;
      return { status: 503, headers: { 'retry-after': '1' } };
    });
    await harness.post(channel, 'again');
    const [first, second] = (await bot.receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
    expect(second.at - first.at).toBeGreaterThanOrEqual(1000);
    expect(second.body).toEqual(first.body);
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(Number(second.headers['x-service-timestamp'])).toBeGreaterThan(
      Number(first.headers['x-service-timestamp']),
    );
    expect([first.headers['x-service-attempt'], second.headers['x-service-attempt']]).toEqual(['1', '2']);
    expect(first.headers['x-service-signature']).toBe(contractSignature(bot.secret, first));
    expect(second.headers['x-service-signature']).toBe(contractSignature(rotated, second));
    expect(standardVerifies(rotated, second)).toBe(true);
  });

  test('with a 2xx is a success whatever the body does: a slow body is sent once, and its status is logged', async () => {
    const bot = await harness.pushedBot();
    bot.receiver.respond({ drip: { everyMs: 20 } });
    await harness.post(channel, 'x');
    await harness.sent(bot);
    expect(await harness.deliveries(bot)).toMatchObject([
      { status: 'success', attempts: 1, last_status_code: 200 },
    ]);
    expect(bot.receiver.requests).toHaveLength(1);
  });

  test.each([
    [200, 'success', 1],
    [204, 'success', 1],
    [301, 'dead', 1],
    [307, 'dead', 1],
    [400, 'dead', 1],
    [401, 'dead', 1],
    [408, 'dead', 1],
    [410, 'dead', 1],
    [429, 'dead', 3],
    [500, 'dead', 3],
    [503, 'dead', 3],
  ])('answered %i finally is %s after %i attempts', async (status, outcome, attempts) => {
    const bot = await harness.pushedBot();
    bot.receiver.respond({ status, headers: { location: `${bot.receiver.url}/elsewhere` } });
    await harness.post(channel, 'x');
    await harness.sent(bot);
    expect(await harness.deliveries(bot)).toMatchObject([
      { status: outcome, attempts, next_attempt_at: null },
    ]);
    expect(bot.receiver.requests.map(({ url }) => url)).toEqual(
      Array.from({ length: attempts }, () => '/bot'),
    );
  });

  test('that fails twice, by a cut connection and by a 5xx, then succeeds, logs every attempt', async () => {
    const bot = await harness.pushedBot();
    bot.receiver.respond(() => (['reset', 500, 200] as const)[bot.receiver.requests.length - 1] ?? 200);
    await harness.post(channel, 'x');
    await harness.sent(bot);
    expect(await harness.deliveries(bot, '?filter=success')).toMatchObject([
      { status: 'success', attempts: 3 },
    ]);
    expect((await detailOf(bot))?.attemptLog).toMatchObject([
      { statusCode: null, error: expect.any(String) },
      { statusCode: 500 },
      { statusCode: 200 },
    ]);
  });

  test('to an address that the policy refuses is dead immediately', async () => {
    const bot = await harness.pushedBot();
    await harness.api.db.query(`UPDATE bots SET webhook_url = 'http://10.0.0.1/events' WHERE id = $1`, [
      bot.id,
    ]);
    await harness.post(channel, 'x');
    await harness.sent(bot);
    expect(await detailOf(bot)).toMatchObject({ status: 'dead', error: 'address not allowed', attempts: 1 });
  });
});

describe('pending deliveries', () => {
  test('go to a new webhook_url', async () => {
    const [bot, moved] = [await harness.pushedBot(), (await harness.pushedBot({ event_types: [] })).receiver];
    bot.receiver.respond(WAIT);
    await harness.post(channel, 'follows');
    await isPending(bot);
    await harness.change(bot, { webhook_url: `${moved.url}/new` });
    await hurry(bot);
    expect(await moved.waitFor(1)).toMatchObject([{ url: '/new' }]);
    expect(bot.receiver.requests).toHaveLength(1);
  });

  test.each<[string, (bot: PushedBot) => Promise<unknown>]>([
    ['mode none', (bot) => harness.change(bot, { event_delivery_mode: 'none' })],
    [
      'mode poll by the bot itself',
      (bot) =>
        harness.api.call('PATCH', '/api/v1/bot/me', {
          token: bot.token,
          body: { event_delivery_mode: 'poll' },
        }),
    ],
    [
      'mode none and no webhook_url',
      (bot) => harness.change(bot, { event_delivery_mode: 'none', webhook_url: '' }),
    ],
    ['is_active false', (bot) => harness.change(bot, { is_active: false })],
    ['deletion', (bot) => harness.admin('DELETE', `/bots/${bot.id}`)],
  ])('die with %s', async (_name, end) => {
    const bot = await harness.pushedBot();
    bot.receiver.respond(WAIT);
    await harness.post(channel, 'waits');
    await isPending(bot);
    const id = (await harness.deliveries(bot))[0].delivery_id;
    await end(bot);
    expect(await findDelivery(harness.api.db, harness.space.spaceId, id)).toMatchObject({
      status: 'dead',
      error: 'subscription inactive',
      attempts: 1,
    });
    await harness.sent(bot);
    expect(bot.receiver.requests).toHaveLength(1);
  });

  test('die also if planned after the mode had changed', async () => {
    const bot = await harness.pushedBot();
    await beforePlanning(harness, async () => {
      await harness.post(channel, 'too late');
      await harness.change(bot, { event_delivery_mode: 'none' });
    });
    await harness.sent(bot);
    expect(await detailOf(bot)).toMatchObject({
      status: 'dead',
      error: 'subscription inactive',
      attempts: 0,
    });
    expect(bot.receiver.requests).toEqual([]);
  });
});

test('both secrets sign during the overlap of a rotation; a reset ends it', async () => {
  const bot = await harness.pushedBot();
  const rotate = async (overlap_seconds: number) =>
    (
      await harness.api.call('POST', '/api/v1/bot/webhook/rotate_secret', {
        token: bot.token,
        body: { overlap_seconds },
      })
    ).body;
  const shown = async () =>
    (await harness.admin('GET', `/bots/${bot.id}`)).body.bot.previous_secret_expires_at;
  const { signing_secret: rotated, previous_secret_expires_at: end } = await rotate(60);
  expect(await shown()).toBe(end);
  await harness.post(channel, 'overlap');
  const [request] = (await bot.receiver.waitFor(1)) as [ReceivedRequest];
  expect(request.headers).toMatchObject({
    'x-service-signature': contractSignature(rotated, request),
    'x-service-signature-previous': contractSignature(bot.secret, request),
  });
  for (const secret of [rotated, bot.secret]) expect(standardVerifies(secret, request)).toBe(true);
  const { signing_secret: alone } = await rotate(0);
  await harness.post(channel, 'no overlap');
  const [, later] = (await bot.receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  expect(standardVerifies(alone, later)).toBe(true);
  expect(() => standardVerifies(rotated, later)).toThrow();
  expect(later.headers).not.toHaveProperty('x-service-signature-previous');
  await rotate(60);
  await harness.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true });
  expect(await shown()).toBeUndefined();
});

test("a bot's retry profile applies to later pushes", async () => {
  const bot = await harness.pushedBot({ retry_profile: 'extended' });
  bot.receiver.respond(WAIT);
  await harness.post(channel, 'extended');
  await isPending(bot);
  await harness.change(bot, { retry_profile: 'contract' });
  await harness.post(channel, 'contract');
  await harness.planned();
  expect(
    await harness.api.db.query('SELECT max_attempts FROM delivery_queue WHERE target_id = $1 ORDER BY id', [
      bot.id,
    ]),
  ).toEqual([{ max_attempts: 12 }, { max_attempts: 0 }]);
});

describe('redelivery', () => {
  test('is a new delivery of the same event and body, with the current secret', async () => {
    const bot = await harness.pushedBot();
    bot.receiver.respond(400);
    await harness.post(channel, 'again');
    await harness.sent(bot);
    expect(await harness.deliveries(bot, '?filter=failed')).toHaveLength(1);
    const {
      body: { signing_secret: rotated },
    } = await harness.api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token });
    bot.receiver.respond(failing(1));
    const dead = await detailOf(bot);
    if (!dead) throw new Error('the delivery is gone');
    const id = await redeliverPush(harness.api.db, harness.space.spaceId, dead, BY_SYSTEM);
    const [first, , third] = (await bot.receiver.waitFor(3)) as [
      ReceivedRequest,
      ReceivedRequest,
      ReceivedRequest,
    ];
    await harness.sent(bot);
    expect(third.headers).toMatchObject({
      'webhook-id': id,
      'x-service-attempt': '2',
      'x-service-signature': contractSignature(rotated, third),
      'content-type': 'application/json',
    });
    expect(third.body).toEqual(first.body);
    expect(await harness.deliveries(bot)).toMatchObject([
      { delivery_id: id, status: 'success', event_id: dead.eventId },
      { delivery_id: dead.id, status: 'dead', redelivered_as: id },
    ]);
    const failed = await harness.admin('GET', `/bots/${bot.id}/deliveries?filter=failed`);
    expect(failed.body.deliveries).toEqual([]);
  });

  test('concurrent requests hold two connections while they wait for the bot', async () => {
    const bot = await harness.pushedBot();
    await harness.post(channel, 'x');
    await harness.sent(bot);
    const sent = await detailOf(bot);
    if (!sent) throw new Error('the delivery is gone');
    const { answers, waited } = await harness.api.whileRowLocked('bots', bot.id, () =>
      Array.from({ length: 12 }, () => redeliverPush(harness.api.db, harness.space.spaceId, sent, BY_SYSTEM)),
    );
    expect(waited).toBe(2);
    expect(new Set(answers).size).toBe(12);
    await harness.sent(bot);
  });

  test.each<[string, (bot: PushedBot) => Promise<unknown>]>([
    ['in another mode', (bot) => harness.change(bot, { event_delivery_mode: 'poll' })],
    ['disabled', (bot) => harness.change(bot, { is_active: false })],
    ['deleted', (bot) => harness.admin('DELETE', `/bots/${bot.id}`)],
  ])('to a bot that is %s gets 409', async (_name, end) => {
    const bot = await harness.pushedBot();
    await harness.post(channel, 'x');
    await harness.sent(bot);
    const sent = await detailOf(bot);
    if (!sent) throw new Error('the delivery is gone');
    await end(bot);
    await expect(redeliverPush(harness.api.db, harness.space.spaceId, sent, BY_SYSTEM)).rejects.toMatchObject(
      {
        status: 409,
      },
    );
    await harness.sent(bot);
    expect(bot.receiver.requests).toHaveLength(1);
  });
});
