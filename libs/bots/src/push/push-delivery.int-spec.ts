import { createHmac } from 'node:crypto';
import { eventually, failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import { findDelivery } from '@tieline/delivery';
import { Webhook } from 'standardwebhooks';
import { BY_SYSTEM } from '@tieline/spaces';
import { redeliverPush } from './deliveries/redeliver-push.js';
import { EventsRig } from '../testing/events-rig.js';
import type { PushedBot } from '../testing/events-rig.js';
import { beforePlanning } from '../events/testing/planning.js';

let rig: EventsRig;
let channel: string;

beforeAll(async () => {
  rig = await EventsRig.start();
  channel = await rig.channel();
});
afterAll(() => rig?.close());

/** The JSON that was received. */
const parse = (request: ReceivedRequest | undefined) => JSON.parse(request?.body.toString() ?? 'null');
/** The contract's scheme, written out (Authentication 5). */
const contractSignature = (secret: string, { headers, body }: ReceivedRequest): string =>
  `v1=${createHmac('sha256', secret)
    .update(`${String(headers['x-service-timestamp'])}.`)
    .update(body)
    .digest('hex')}`;
/** @throws WebhookVerificationError */
const standardVerifies = (secret: string, { body, headers }: ReceivedRequest): boolean =>
  new Webhook(secret).verify(body.toString(), headers as Record<string, string>) !== undefined;
const detailOf = async (bot: PushedBot, n = 0) =>
  findDelivery(rig.api.db, rig.space.spaceId, (await rig.deliveries(bot))[n].delivery_id);
const isPending = (bot: PushedBot) =>
  eventually(async () =>
    expect(await rig.deliveries(bot)).toMatchObject([{ status: 'pending', attempts: 1 }]),
  );
/** Answers that the delivery is to wait: it stays pending as long as the test needs. */
const WAIT = { status: 503, headers: { 'retry-after': '60' } };
/** What waits is due now. */
const hurry = ({ id }: PushedBot) =>
  rig.api.db.query('UPDATE delivery_queue SET due_at = now() WHERE target_id = $1', [id]);

describe('a push', () => {
  test('carries the envelope and both signatures', async () => {
    const bot = await rig.pushedBot();
    const { messageId, msgIndex, sentAt, eventId } = await rig.post(channel, 'héllo ✓');
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
      space_id: rig.space.spaceId,
      conversation_id: channel,
      thread_id: '',
      actor_user_id: rig.owner.id,
      schema_version: 1,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { message_id: messageId, text: 'héllo ✓', msg_index: msgIndex, sent_at: sentAt },
    });
    await rig.sent(bot);
    expect(await rig.deliveries(bot)).toEqual([
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
    const bot = await rig.pushedBot();
    const { messageId } = await rig.post(channel, 'root');
    await rig.post(channel, 'reply', { parentMessageId: messageId });
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

  test('is signed afresh for every attempt, with the secret of that moment; id and bytes stay', async () => {
    const bot = await rig.pushedBot();
    let rotated = '';
    bot.receiver.respond(async () => {
      if (bot.receiver.requests.length > 1) return 200;
      rotated = (await rig.api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token })).body
        .signing_secret;
      return { status: 503, headers: { 'retry-after': '1' } };
    });
    await rig.post(channel, 'again');
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

  test('answered 2xx is a success whatever the body does: one that drips is sent once, and its status is logged', async () => {
    const bot = await rig.pushedBot();
    bot.receiver.respond({ drip: { everyMs: 20 } });
    await rig.post(channel, 'x');
    await rig.sent(bot);
    expect(await rig.deliveries(bot)).toMatchObject([
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
  ])('answered %i in the end is %s after %i attempts', async (status, outcome, attempts) => {
    const bot = await rig.pushedBot();
    bot.receiver.respond({ status, headers: { location: `${bot.receiver.url}/elsewhere` } });
    await rig.post(channel, 'x');
    await rig.sent(bot);
    expect(await rig.deliveries(bot)).toMatchObject([{ status: outcome, attempts, next_attempt_at: null }]);
    expect(bot.receiver.requests.map(({ url }) => url)).toEqual(
      Array.from({ length: attempts }, () => '/bot'),
    );
  });

  test('that fails twice, by a cut connection and by a fault, then succeeds, with every attempt in its log', async () => {
    const bot = await rig.pushedBot();
    bot.receiver.respond(() => (['reset', 500, 200] as const)[bot.receiver.requests.length - 1] ?? 200);
    await rig.post(channel, 'x');
    await rig.sent(bot);
    expect(await rig.deliveries(bot, '?filter=success')).toMatchObject([{ status: 'success', attempts: 3 }]);
    expect((await detailOf(bot))?.attemptLog).toMatchObject([
      { statusCode: null, error: expect.any(String) },
      { statusCode: 500 },
      { statusCode: 200 },
    ]);
  });

  test('to an address that the policy refuses is dead at once', async () => {
    const bot = await rig.pushedBot();
    await rig.api.db.query(`UPDATE bots SET webhook_url = 'http://10.0.0.1/events' WHERE id = $1`, [bot.id]);
    await rig.post(channel, 'x');
    await rig.sent(bot);
    expect(await detailOf(bot)).toMatchObject({ status: 'dead', error: 'address not allowed', attempts: 1 });
  });
});

describe('what is pending', () => {
  test('goes to a new webhook_url', async () => {
    const [bot, moved] = [await rig.pushedBot(), (await rig.pushedBot({ event_types: [] })).receiver];
    bot.receiver.respond(WAIT);
    await rig.post(channel, 'follows');
    await isPending(bot);
    await rig.change(bot, { webhook_url: `${moved.url}/new` });
    await hurry(bot);
    expect(await moved.waitFor(1)).toMatchObject([{ url: '/new' }]);
    expect(bot.receiver.requests).toHaveLength(1);
  });

  test.each<[string, (bot: PushedBot) => Promise<unknown>]>([
    ['mode none', (bot) => rig.change(bot, { event_delivery_mode: 'none' })],
    [
      'mode poll by the bot itself',
      (bot) =>
        rig.api.call('PATCH', '/api/v1/bot/me', { token: bot.token, body: { event_delivery_mode: 'poll' } }),
    ],
    [
      'mode none and no webhook_url',
      (bot) => rig.change(bot, { event_delivery_mode: 'none', webhook_url: '' }),
    ],
    ['is_active false', (bot) => rig.change(bot, { is_active: false })],
    ['deletion', (bot) => rig.admin('DELETE', `/bots/${bot.id}`)],
  ])('dies with %s', async (_name, end) => {
    const bot = await rig.pushedBot();
    bot.receiver.respond(WAIT);
    await rig.post(channel, 'waits');
    await isPending(bot);
    const id = (await rig.deliveries(bot))[0].delivery_id;
    await end(bot);
    expect(await findDelivery(rig.api.db, rig.space.spaceId, id)).toMatchObject({
      status: 'dead',
      error: 'subscription inactive',
      attempts: 1,
    });
    await rig.sent(bot);
    expect(bot.receiver.requests).toHaveLength(1);
  });

  test('dies also when it was planned after the mode had changed', async () => {
    const bot = await rig.pushedBot();
    await beforePlanning(rig, async () => {
      await rig.post(channel, 'too late');
      await rig.change(bot, { event_delivery_mode: 'none' });
    });
    await rig.sent(bot);
    expect(await detailOf(bot)).toMatchObject({
      status: 'dead',
      error: 'subscription inactive',
      attempts: 0,
    });
    expect(bot.receiver.requests).toEqual([]);
  });
});

test('while a rotation overlaps both secrets sign; a reset ends it', async () => {
  const bot = await rig.pushedBot();
  const rotate = async (overlap_seconds: number) =>
    (
      await rig.api.call('POST', '/api/v1/bot/webhook/rotate_secret', {
        token: bot.token,
        body: { overlap_seconds },
      })
    ).body;
  const shown = async () => (await rig.admin('GET', `/bots/${bot.id}`)).body.bot.previous_secret_expires_at;
  const { signing_secret: rotated, previous_secret_expires_at: end } = await rotate(60);
  expect(await shown()).toBe(end);
  await rig.post(channel, 'overlap');
  const [request] = (await bot.receiver.waitFor(1)) as [ReceivedRequest];
  expect(request.headers).toMatchObject({
    'x-service-signature': contractSignature(rotated, request),
    'x-service-signature-previous': contractSignature(bot.secret, request),
  });
  for (const secret of [rotated, bot.secret]) expect(standardVerifies(secret, request)).toBe(true);
  const { signing_secret: alone } = await rotate(0);
  await rig.post(channel, 'no overlap');
  const [, later] = (await bot.receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
  expect(standardVerifies(alone, later)).toBe(true);
  expect(() => standardVerifies(rotated, later)).toThrow();
  expect(later.headers).not.toHaveProperty('x-service-signature-previous');
  await rotate(60);
  await rig.admin('POST', `/bots/${bot.id}/regenerate_token`, { reset: true });
  expect(await shown()).toBeUndefined();
});

test("a bot's retry profile counts for what is pushed from then on", async () => {
  const bot = await rig.pushedBot({ retry_profile: 'extended' });
  bot.receiver.respond(WAIT);
  await rig.post(channel, 'extended');
  await isPending(bot);
  await rig.change(bot, { retry_profile: 'contract' });
  await rig.post(channel, 'contract');
  await rig.planned();
  expect(
    await rig.api.db.query('SELECT max_attempts FROM delivery_queue WHERE target_id = $1 ORDER BY id', [
      bot.id,
    ]),
  ).toEqual([{ max_attempts: 12 }, { max_attempts: 0 }]);
});

describe('sending again', () => {
  test('is a new delivery of the same event and bytes, with the present secret', async () => {
    const bot = await rig.pushedBot();
    bot.receiver.respond(400);
    await rig.post(channel, 'again');
    await rig.sent(bot);
    expect(await rig.deliveries(bot, '?filter=failed')).toHaveLength(1);
    const {
      body: { signing_secret: rotated },
    } = await rig.api.call('POST', '/api/v1/bot/webhook/rotate_secret', { token: bot.token });
    bot.receiver.respond(failing(1));
    const dead = await detailOf(bot);
    if (!dead) throw new Error('the delivery is gone');
    const id = await redeliverPush(rig.api.db, rig.space.spaceId, dead, BY_SYSTEM);
    const [first, , third] = (await bot.receiver.waitFor(3)) as [
      ReceivedRequest,
      ReceivedRequest,
      ReceivedRequest,
    ];
    await rig.sent(bot);
    expect(third.headers).toMatchObject({
      'webhook-id': id,
      'x-service-attempt': '2',
      'x-service-signature': contractSignature(rotated, third),
      'content-type': 'application/json',
    });
    expect(third.body).toEqual(first.body);
    expect(await rig.deliveries(bot)).toMatchObject([
      { delivery_id: id, status: 'success', event_id: dead.eventId },
      { delivery_id: dead.id, status: 'dead', redelivered_as: id },
    ]);
    const failed = await rig.admin('GET', `/bots/${bot.id}/deliveries?filter=failed`);
    expect(failed.body.deliveries).toEqual([]);
  });

  test('many times at once holds two connections while they wait for the bot', async () => {
    const bot = await rig.pushedBot();
    await rig.post(channel, 'x');
    await rig.sent(bot);
    const sent = await detailOf(bot);
    if (!sent) throw new Error('the delivery is gone');
    const { answers, waited } = await rig.api.whileRowLocked('bots', bot.id, () =>
      Array.from({ length: 12 }, () => redeliverPush(rig.api.db, rig.space.spaceId, sent, BY_SYSTEM)),
    );
    expect(waited).toBe(2);
    expect(new Set(answers).size).toBe(12);
    await rig.sent(bot);
  });

  test.each<[string, (bot: PushedBot) => Promise<unknown>]>([
    ['in another mode', (bot) => rig.change(bot, { event_delivery_mode: 'poll' })],
    ['disabled', (bot) => rig.change(bot, { is_active: false })],
    ['deleted', (bot) => rig.admin('DELETE', `/bots/${bot.id}`)],
  ])('to a bot that is %s is 409', async (_name, end) => {
    const bot = await rig.pushedBot();
    await rig.post(channel, 'x');
    await rig.sent(bot);
    const sent = await detailOf(bot);
    if (!sent) throw new Error('the delivery is gone');
    await end(bot);
    await expect(redeliverPush(rig.api.db, rig.space.spaceId, sent, BY_SYSTEM)).rejects.toMatchObject({
      status: 409,
    });
    await rig.sent(bot);
    expect(bot.receiver.requests).toHaveLength(1);
  });
});
