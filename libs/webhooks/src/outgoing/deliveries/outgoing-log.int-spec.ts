import { v7 as uuidv7 } from 'uuid';
import { eventually, failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { contractSignature, parse, standardVerifies, startRig } from '../testing/outgoing-rig.js';
import type { Rig, Subscribed } from '../testing/outgoing-rig.js';

let rig: Rig;
let channel: string;

beforeAll(async () => {
  rig = await startRig();
  channel = await rig.channel();
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

const detail = async (id: string) => (await rig.call('GET', `/deliveries/${id}`)).body.delivery;
const setStatus = (id: string, status: string) => rig.call('PATCH', `/outgoing_webhooks/${id}`, { status });
const pendingCount = async (id: string) =>
  (await rig.api.db.query('SELECT 1 FROM delivery_queue WHERE target_id = $1', [id])).length;
/** A delivery that waits a minute for its second attempt. */
async function pendingDelivery(subscribed: Subscribed): Promise<string> {
  subscribed.receiver.respond({ status: 503, headers: { 'retry-after': '60' } });
  await rig.post(channel, 'wait');
  await eventually(async () =>
    expect((await rig.deliveries(subscribed.id))[0]).toMatchObject({ status: 'pending', attempts: 1 }),
  );
  return (await rig.deliveries(subscribed.id))[0].delivery_id;
}

describe('a test send', () => {
  test('takes the same signed path as any other event', async () => {
    const { id, secret, receiver } = await rig.subscribe();
    const { status, body } = await rig.call('POST', `/outgoing_webhooks/${id}/test`);
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        delivery_id: expect.any(String),
        result: { status_code: 200, error: null, duration_ms: expect.any(Number) },
      },
    ]);
    const [request] = (await receiver.waitFor(1)) as [ReceivedRequest];
    expect(request.headers).toMatchObject({
      'x-service-event': 'WEBHOOK_TEST',
      'x-service-delivery-id': body.delivery_id,
      'x-service-signature': contractSignature(secret, request),
    });
    expect(standardVerifies(secret, request)).toBe(true);
    expect(parse(request)).toEqual({
      event_id: expect.any(String),
      event_type: 'WEBHOOK_TEST',
      space_id: rig.space.spaceId,
      conversation_id: '',
      thread_id: '',
      actor_user_id: rig.admin.id,
      occurred_at: expect.stringMatching(/Z$/),
      schema_version: 1,
      data: { message: expect.any(String) },
    });
    await rig.sent(id);
    expect(await detail(body.delivery_id)).toMatchObject({
      status: 'success',
      event_type: 'WEBHOOK_TEST',
      event_id: parse(request).event_id,
    });
  });

  test('shows the context that the subscription asked for, empty', async () => {
    const { id, receiver } = await rig.subscribe({ include_context: true });
    await rig.call('POST', `/outgoing_webhooks/${id}/test`);
    expect(parse((await receiver.waitFor(1))[0]).context).toEqual({ messages: [], context_error: false });
  });

  test('is tried once, also when inactive, survives being switched off, and counts for nothing', async () => {
    const { id, receiver } = await rig.subscribe();
    receiver.respond(500);
    await setStatus(id, 'inactive');
    const { delivery_id } = (await rig.call('POST', `/outgoing_webhooks/${id}/test`)).body;
    await rig.sent(id);
    expect(await detail(delivery_id)).toMatchObject({
      status: 'dead',
      attempts: 1,
      error: 'receiver answered 500',
    });
    expect(receiver.requests).toHaveLength(1);
    expect(
      await rig.api.db.query('SELECT consecutive_dead FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ consecutive_dead: 0 }]);
  });
});

describe('a redelivery', () => {
  test('has a new delivery id and a fresh timestamp, the same event and bytes, the current secret and ordinary retries', async () => {
    const { id, receiver } = await rig.subscribe();
    await rig.post(channel, 'again please');
    const [first] = (await receiver.waitFor(1)) as [ReceivedRequest];
    await rig.sent(id);
    const { signing_secret } = (await rig.call('POST', `/outgoing_webhooks/${id}/rotate_secret`)).body;
    const [original] = await rig.deliveries(id);
    receiver.respond(failing(1, 503));
    const { status, body } = await rig.call('POST', `/deliveries/${original.delivery_id}/redeliver`);
    expect(status).toBe(200);
    const [, second, third] = (await receiver.waitFor(3)) as [unknown, ReceivedRequest, ReceivedRequest];
    expect(body.delivery_id).not.toBe(original.delivery_id);
    expect(third.headers).toMatchObject({
      'x-service-delivery-id': body.delivery_id,
      'x-service-event': 'MESSAGE_CREATED',
      'x-service-attempt': '2',
    });
    expect(third.body).toEqual(first.body);
    expect(third.headers['x-service-signature']).toBe(second.headers['x-service-signature']);
    expect(third.headers['x-service-signature']).toBe(contractSignature(signing_secret, third));
    expect(Number(third.headers['x-service-timestamp'])).toBeGreaterThanOrEqual(
      Number(first.headers['x-service-timestamp']),
    );
    await rig.sent(id);
    expect(await rig.deliveries(id)).toMatchObject([
      { delivery_id: body.delivery_id, event_id: original.event_id, status: 'success', attempts: 2 },
      { ...original, redelivered_as: body.delivery_id },
    ]);
  });

  test('many at once hold two connections while they wait for the subscription', async () => {
    const { id } = await rig.subscribe();
    await rig.post(channel, 'x');
    await rig.sent(id);
    const [{ delivery_id }] = await rig.deliveries(id);
    const { answers, waited } = await rig.api.whileRowLocked('outgoing_webhooks', id, () =>
      Array.from({ length: 12 }, () => rig.call('POST', `/deliveries/${delivery_id}/redeliver`)),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    await rig.sent(id);
  });

  test('is 409 when the subscription is inactive or deleted, and nothing is sent', async () => {
    const { id, receiver } = await rig.subscribe();
    await rig.post(channel, 'x');
    await receiver.waitFor(1);
    await rig.sent(id);
    const [{ delivery_id }] = await rig.deliveries(id);
    await setStatus(id, 'inactive');
    expect(await rig.call('POST', `/deliveries/${delivery_id}/redeliver`)).toMatchObject({
      status: 409,
      body: { ok: false, error: 'subscription inactive' },
    });
    await rig.call('DELETE', `/outgoing_webhooks/${id}`);
    expect((await rig.call('POST', `/deliveries/${delivery_id}/redeliver`)).status).toBe(409);
    expect((await rig.call('GET', `/deliveries/${delivery_id}`)).status).toBe(200);
    // Its log stays readable, for this space alone.
    expect(await rig.deliveries(id)).toMatchObject([{ delivery_id }]);
    const stranger = await rig.otherSpace();
    expect((await stranger.call('GET', `/outgoing_webhooks/${id}/deliveries`)).status).toBe(404);
    expect([receiver.requests.length, await pendingCount(id)]).toEqual([1, 0]);
  });

  test('of an unknown or foreign delivery is 404, like reading it', async () => {
    const stranger = await rig.otherSpace();
    const { id } = await rig.subscribe();
    const { delivery_id } = (await rig.call('POST', `/outgoing_webhooks/${id}/test`)).body;
    for (const path of [`/deliveries/${delivery_id}`, `/deliveries/${uuidv7()}`, '/deliveries/12']) {
      expect((await stranger.call('GET', path)).status).toBe(404);
      expect((await stranger.call('POST', `${path}/redeliver`)).status).toBe(404);
    }
    await rig.sent(id);
  });
});

describe('the delivery log', () => {
  test('filters by outcome and pages, newest first', async () => {
    const subscribed = await rig.subscribe();
    const { id, receiver } = subscribed;
    for (const [text, status] of [
      ['good', 200],
      ['bad', 400],
      ['fine', 200],
    ] as const) {
      receiver.respond(status);
      await rig.post(channel, text);
      await rig.sent(id);
    }
    const waiting = await pendingDelivery(subscribed);
    const statuses = async (query: string) => (await rig.deliveries(id, query)).map(({ status }) => status);
    expect(await statuses('')).toEqual(['pending', 'success', 'dead', 'success']);
    expect(await statuses('?filter=all')).toEqual(['pending', 'success', 'dead', 'success']);
    expect(await statuses('?filter=success')).toEqual(['success', 'success']);
    expect(await statuses('?filter=failed')).toEqual(['dead']);
    const path = `/outgoing_webhooks/${id}/deliveries?limit=3`;
    const first = (await rig.call('GET', path)).body;
    const second = (await rig.call('GET', `${path}&cursor=${first.next_cursor}`)).body;
    expect([first.deliveries.length, second.deliveries.length, second.next_cursor]).toEqual([3, 1, '']);
    expect(first.deliveries[0].delivery_id).toBe(waiting);
    for (const query of ['filter=dead', 'filter=', 'limit=0', 'limit=201', 'cursor=x']) {
      expect([query, (await rig.call('GET', `/outgoing_webhooks/${id}/deliveries?${query}`)).status]).toEqual(
        [query, 400],
      );
    }
  });

  test('filters by status, event type, last HTTP status and time, all together', async () => {
    const subscribed = await rig.subscribe();
    const { id, receiver } = subscribed;
    receiver.respond(400);
    await rig.post(channel, 'bad');
    await rig.sent(id);
    receiver.respond(200);
    await rig.call('POST', `/outgoing_webhooks/${id}/test`);
    await rig.sent(id);
    await pendingDelivery(subscribed);
    const [pending, trial, dead] = await rig.deliveries(id);
    const path = `/outgoing_webhooks/${id}/deliveries`;
    for (const [query, shown] of [
      ['status=pending', [pending]],
      ['status=dead', [dead]],
      ['status=success&filter=failed', []],
      ['event_type=WEBHOOK_TEST', [trial]],
      ['event_type=MESSAGE_CREATED', [pending, dead]],
      ['code=503', [pending]],
      ['code=400&filter=failed&event_type=MESSAGE_CREATED', [dead]],
      ['code=200&event_type=MESSAGE_CREATED', []],
      [`since=${trial.created_at}`, [pending, trial]],
      [`until=${trial.created_at}`, [dead]],
      [`since=${trial.created_at}&until=${pending.created_at}`, [trial]],
      [`since=${pending.created_at.replace('Z', '+00:00')}`, [pending]],
    ] as const)
      expect([query, await rig.call('GET', `${path}?${query}`)]).toEqual([
        query,
        expect.objectContaining({ body: { ok: true, deliveries: shown, next_cursor: '' } }),
      ]);
    for (const query of [
      'status=failed',
      'event_type=',
      'code=99',
      'code=5xx',
      'since=yesterday',
      'until=2026-02-30T00:00:00Z',
      'until=2026-01-01T00:00:60Z',
    ])
      expect([query, (await rig.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
  });

  test('what is seldom is found by several pages, each of which looks at so many at most', async () => {
    const { id } = await rig.subscribe();
    await rig.api.db.query(
      `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status)
       SELECT ('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'outgoing', $2, $2,
         CASE WHEN n IN (1, 20000) THEN 'SELDOM' ELSE 'OFTEN' END, $2, '{}', 'success' FROM generate_series(1, 20000) n`,
      [rig.space.spaceId, id],
    );
    const page = async (cursor: string) => {
      const query = `event_type=SELDOM&cursor=${cursor}`;
      const { body } = await rig.call('GET', `/outgoing_webhooks/${id}/deliveries?${query}`);
      return {
        ids: body.deliveries.map((one: TestAnswer['body']) => one.delivery_id),
        next: body.next_cursor,
      };
    };
    const first = await page('');
    expect(first).toEqual({ ids: [expect.stringMatching(/4e20$/)], next: expect.stringMatching(/2711$/) });
    const second = await page(first.next);
    expect(second).toEqual({ ids: [expect.stringMatching(/0001$/)], next: expect.stringMatching(/0001$/) });
    expect(await page(second.next)).toEqual({ ids: [], next: '' });
  });

  test('a dead letter names its latest redelivery, and is no failed one any more once that succeeded', async () => {
    const { id, receiver } = await rig.subscribe();
    receiver.respond(400);
    await rig.post(channel, 'refused');
    await rig.sent(id);
    const failed = async () =>
      (await rig.deliveries(id, '?filter=failed')).map((one) => [one.delivery_id, one.redelivered_as]);
    const redeliver = async (delivery: string): Promise<string> => {
      const { body } = await rig.call('POST', `/deliveries/${delivery}/redeliver`);
      await rig.sent(id);
      return body.delivery_id;
    };
    const [[first]] = (await failed()) as [[string]];
    const second = await redeliver(first);
    expect(await failed()).toEqual([
      [second, undefined],
      [first, second],
    ]);
    const third = await redeliver(first);
    expect(await detail(first)).toMatchObject({ redelivered_as: third });
    receiver.respond(200);
    const fourth = await redeliver(third);
    expect(await failed()).toEqual([[second, undefined]]);
    expect((await rig.deliveries(id)).map((one) => [one.status, one.redelivered_as])).toEqual([
      ['success', undefined],
      ['dead', fourth],
      ['dead', undefined],
      ['dead', fourth],
    ]);
    expect(await rig.deliveries(id, '?status=dead')).toHaveLength(3);
  });

  test('says what the last attempt came to, and nothing before the first', async () => {
    const subscribed = await rig.subscribe();
    const pending = await pendingDelivery(subscribed);
    await rig.api.db.query(
      `UPDATE delivery_targets SET failures = 10, open_until = now() + interval '1 hour' WHERE target_id = $1`,
      [subscribed.id],
    );
    await rig.post(channel, 'not tried yet');
    const last = async () =>
      (await rig.deliveries(subscribed.id)).map((one) => [one.last_status_code, one.last_duration_ms]);
    await eventually(async () => expect(await last()).toHaveLength(2));
    expect(await last()).toEqual([
      [undefined, undefined],
      [503, (await detail(pending)).attempt_log[0].duration_ms],
    ]);
    await rig.api.db.query(
      `INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, duration_ms, error, response) VALUES ($1, $2, 2, now(), 777, 'timeout', '')`,
      [pending, rig.space.spaceId],
    );
    expect((await last())[1]).toEqual([null, 777]);
    expect(await detail(pending)).toMatchObject({ last_status_code: null, last_duration_ms: 777 });
  });

  test('says when the next attempt is', async () => {
    const subscribed = await rig.subscribe();
    const delivery = await detail(await pendingDelivery(subscribed));
    expect(
      Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempt_log[0].at),
    ).toBeGreaterThanOrEqual(59_000);
    expect(Date.parse(delivery.next_attempt_at) - Date.parse(delivery.attempt_log[0].at)).toBeLessThan(
      70_000,
    );
  });
});

describe('an inactive subscription', () => {
  test.each([
    ['set inactive', (id: string) => setStatus(id, 'inactive')],
    ['deleted', (id: string) => rig.call('DELETE', `/outgoing_webhooks/${id}`)],
  ])('%s: what is pending is dead', async (_, act) => {
    const subscribed = await rig.subscribe();
    const pending = await pendingDelivery(subscribed);
    expect((await act(subscribed.id)).status).toBe(200);
    expect(await detail(pending)).toMatchObject({
      status: 'dead',
      attempts: 1,
      error: 'subscription inactive',
      next_attempt_at: null,
    });
    expect(await pendingCount(subscribed.id)).toBe(0);
  });

  test('gets nothing of what happened meanwhile when it is active again', async () => {
    const { id, receiver } = await rig.subscribe();
    await setStatus(id, 'inactive');
    await rig.post(channel, 'missed');
    await rig.planned();
    await setStatus(id, 'active');
    await rig.post(channel, 'heard');
    await rig.sent(id);
    expect(receiver.requests.map((request) => parse(request).data.text)).toEqual(['heard']);
  });

  test('a space that is switched off sends nothing, and its deliveries count for nothing', async () => {
    const other = await rig.otherSpace();
    const here = await other.channel();
    const { id, receiver } = await other.subscribe();
    await rig.api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [other.space.spaceId]);
    await other.post(here, 'nobody hears');
    await other.sent(id);
    expect(receiver.requests).toHaveLength(0);
    expect(await rig.api.db.query('SELECT status, error FROM deliveries WHERE target_id = $1', [id])).toEqual(
      [{ status: 'dead', error: 'subscription inactive' }],
    );
    expect(
      await rig.api.db.query('SELECT consecutive_dead FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ consecutive_dead: 0 }]);
    await rig.api.db.query('UPDATE spaces SET is_active = true WHERE id = $1', [other.space.spaceId]);
    await other.clear();
  });
});
