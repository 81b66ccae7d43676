import { uuidv7 } from 'uuidv7';
import { eventually, failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import {
  contractSignature,
  parse,
  standardVerifies,
  startOutgoingHarness,
} from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let channel: string;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  channel = await harness.channel();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

const detail = async (id: string) => (await harness.call('GET', `/deliveries/${id}`)).body.delivery;
const setStatus = (id: string, status: string) =>
  harness.call('PATCH', `/outgoing_webhooks/${id}`, { status });
const pendingCount = async (id: string) =>
  (await harness.api.db.query('SELECT 1 FROM delivery_queue WHERE target_id = $1', [id])).length;
/** Returns a delivery that waits a minute for its second attempt. */
async function pendingDelivery(subscribed: TestSubscription): Promise<string> {
  subscribed.receiver.respond({ status: 503, headers: { 'retry-after': '60' } });
  await harness.post(channel, 'wait');
  await eventually(async () =>
    expect((await harness.deliveries(subscribed.id))[0]).toMatchObject({ status: 'pending', attempts: 1 }),
  );
  return (await harness.deliveries(subscribed.id))[0].delivery_id;
}

describe('a test send', () => {
  test('is signed and sent like any other event', async () => {
    const { id, secret, receiver } = await harness.subscribe();
    const { status, body } = await harness.call('POST', `/outgoing_webhooks/${id}/test`);
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
      space_id: harness.space.spaceId,
      conversation_id: '',
      thread_id: '',
      actor_user_id: harness.admin.id,
      occurred_at: expect.stringMatching(/Z$/),
      schema_version: 1,
      data: { message: expect.any(String) },
    });
    await harness.sent(id);
    expect(await detail(body.delivery_id)).toMatchObject({
      status: 'success',
      event_type: 'WEBHOOK_TEST',
      event_id: parse(request).event_id,
    });
  });

  test('has an empty context if the subscription includes context', async () => {
    const { id, receiver } = await harness.subscribe({ include_context: true });
    await harness.call('POST', `/outgoing_webhooks/${id}/test`);
    expect(parse((await receiver.waitFor(1))[0]).context).toEqual({ messages: [], context_error: false });
  });

  test('is attempted once, even when inactive, survives disabling and does not count', async () => {
    const { id, receiver } = await harness.subscribe();
    receiver.respond(500);
    await setStatus(id, 'inactive');
    const { delivery_id } = (await harness.call('POST', `/outgoing_webhooks/${id}/test`)).body;
    await harness.sent(id);
    expect(await detail(delivery_id)).toMatchObject({
      status: 'dead',
      attempts: 1,
      error: 'receiver answered 500',
    });
    expect(receiver.requests).toHaveLength(1);
    expect(
      await harness.api.db.query('SELECT consecutive_dead FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ consecutive_dead: 0 }]);
  });
});

describe('a redelivery', () => {
  test('has a new delivery id and timestamp, the same event and body, the current secret and the usual retries', async () => {
    const { id, receiver } = await harness.subscribe();
    await harness.post(channel, 'again please');
    const [first] = (await receiver.waitFor(1)) as [ReceivedRequest];
    await harness.sent(id);
    const { signing_secret } = (await harness.call('POST', `/outgoing_webhooks/${id}/rotate_secret`)).body;
    const [original] = await harness.deliveries(id);
    receiver.respond(failing(1, 503));
    const { status, body } = await harness.call('POST', `/deliveries/${original.delivery_id}/redeliver`);
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
    await harness.sent(id);
    expect(await harness.deliveries(id)).toMatchObject([
      { delivery_id: body.delivery_id, event_id: original.event_id, status: 'success', attempts: 2 },
      { ...original, redelivered_as: body.delivery_id },
    ]);
  });

  test('many concurrent redeliveries hold at most two connections while they wait', async () => {
    const { id } = await harness.subscribe();
    await harness.post(channel, 'x');
    await harness.sent(id);
    const [{ delivery_id }] = await harness.deliveries(id);
    const { answers, waited } = await harness.api.whileRowLocked('outgoing_webhooks', id, () =>
      Array.from({ length: 12 }, () => harness.call('POST', `/deliveries/${delivery_id}/redeliver`)),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    await harness.sent(id);
  });

  test('answers 409 and sends nothing if the subscription is inactive or deleted', async () => {
    const { id, receiver } = await harness.subscribe();
    await harness.post(channel, 'x');
    await receiver.waitFor(1);
    await harness.sent(id);
    const [{ delivery_id }] = await harness.deliveries(id);
    await setStatus(id, 'inactive');
    expect(await harness.call('POST', `/deliveries/${delivery_id}/redeliver`)).toMatchObject({
      status: 409,
      body: { ok: false, error: 'subscription inactive' },
    });
    await harness.call('DELETE', `/outgoing_webhooks/${id}`);
    expect((await harness.call('POST', `/deliveries/${delivery_id}/redeliver`)).status).toBe(409);
    expect((await harness.call('GET', `/deliveries/${delivery_id}`)).status).toBe(200);
    // Its log stays readable, but only for this space.
    expect(await harness.deliveries(id)).toMatchObject([{ delivery_id }]);
    const stranger = await harness.otherSpace();
    expect((await stranger.call('GET', `/outgoing_webhooks/${id}/deliveries`)).status).toBe(404);
    expect([receiver.requests.length, await pendingCount(id)]).toEqual([1, 0]);
  });

  test("answers 404 for an unknown delivery or another space's, like reading it", async () => {
    const stranger = await harness.otherSpace();
    const { id } = await harness.subscribe();
    const { delivery_id } = (await harness.call('POST', `/outgoing_webhooks/${id}/test`)).body;
    for (const path of [`/deliveries/${delivery_id}`, `/deliveries/${uuidv7()}`, '/deliveries/12']) {
      expect((await stranger.call('GET', path)).status).toBe(404);
      expect((await stranger.call('POST', `${path}/redeliver`)).status).toBe(404);
    }
    await harness.sent(id);
  });
});

describe('the delivery log', () => {
  test('filters by outcome and pages, newest first', async () => {
    const subscribed = await harness.subscribe();
    const { id, receiver } = subscribed;
    for (const [text, status] of [
      ['good', 200],
      ['bad', 400],
      ['fine', 200],
    ] as const) {
      receiver.respond(status);
      await harness.post(channel, text);
      await harness.sent(id);
    }
    const waiting = await pendingDelivery(subscribed);
    const statuses = async (query: string) =>
      (await harness.deliveries(id, query)).map(({ status }) => status);
    expect(await statuses('')).toEqual(['pending', 'success', 'dead', 'success']);
    expect(await statuses('?filter=all')).toEqual(['pending', 'success', 'dead', 'success']);
    expect(await statuses('?filter=success')).toEqual(['success', 'success']);
    expect(await statuses('?filter=failed')).toEqual(['dead']);
    const path = `/outgoing_webhooks/${id}/deliveries?limit=3`;
    const first = (await harness.call('GET', path)).body;
    const second = (await harness.call('GET', `${path}&cursor=${first.next_cursor}`)).body;
    expect([first.deliveries.length, second.deliveries.length, second.next_cursor]).toEqual([3, 1, '']);
    expect(first.deliveries[0].delivery_id).toBe(waiting);
    for (const query of ['filter=dead', 'filter=', 'limit=0', 'limit=201', 'cursor=x']) {
      expect([
        query,
        (await harness.call('GET', `/outgoing_webhooks/${id}/deliveries?${query}`)).status,
      ]).toEqual([query, 400]);
    }
  });

  test('filters by status, event type, last HTTP status and time, all together', async () => {
    const subscribed = await harness.subscribe();
    const { id, receiver } = subscribed;
    receiver.respond(400);
    await harness.post(channel, 'bad');
    await harness.sent(id);
    receiver.respond(200);
    await harness.call('POST', `/outgoing_webhooks/${id}/test`);
    await harness.sent(id);
    await pendingDelivery(subscribed);
    const [pending, trial, dead] = await harness.deliveries(id);
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
      expect([query, await harness.call('GET', `${path}?${query}`)]).toEqual([
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
      expect([query, (await harness.call('GET', `${path}?${query}`)).status]).toEqual([query, 400]);
  });

  test('rare matches are found over several pages, each of which scans a bounded number of rows', async () => {
    const { id } = await harness.subscribe();
    await harness.api.db.query(
      `INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers, status)
       SELECT ('0190d5e0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, $1, 'outgoing', $2, $2,
         CASE WHEN n IN (1, 20000) THEN 'SELDOM' ELSE 'OFTEN' END, $2, '{}', 'success' FROM generate_series(1, 20000) n`,
      [harness.space.spaceId, id],
    );
    const page = async (cursor: string) => {
      const query = `event_type=SELDOM&cursor=${cursor}`;
      const { body } = await harness.call('GET', `/outgoing_webhooks/${id}/deliveries?${query}`);
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

  test('a dead delivery names its latest redelivery and leaves the failed filter once that succeeds', async () => {
    const { id, receiver } = await harness.subscribe();
    receiver.respond(400);
    await harness.post(channel, 'refused');
    await harness.sent(id);
    const failed = async () =>
      (await harness.deliveries(id, '?filter=failed')).map((one) => [one.delivery_id, one.redelivered_as]);
    const redeliver = async (delivery: string): Promise<string> => {
      const { body } = await harness.call('POST', `/deliveries/${delivery}/redeliver`);
      await harness.sent(id);
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
    expect((await harness.deliveries(id)).map((one) => [one.status, one.redelivered_as])).toEqual([
      ['success', undefined],
      ['dead', fourth],
      ['dead', undefined],
      ['dead', fourth],
    ]);
    expect(await harness.deliveries(id, '?status=dead')).toHaveLength(3);
  });

  test('shows the result of the last attempt, and nothing before the first', async () => {
    const subscribed = await harness.subscribe();
    const pending = await pendingDelivery(subscribed);
    await harness.api.db.query(
      `UPDATE delivery_targets SET failures = 10, open_until = now() + interval '1 hour' WHERE target_id = $1`,
      [subscribed.id],
    );
    await harness.post(channel, 'not tried yet');
    const last = async () =>
      (await harness.deliveries(subscribed.id)).map((one) => [one.last_status_code, one.last_duration_ms]);
    await eventually(async () => expect(await last()).toHaveLength(2));
    expect(await last()).toEqual([
      [undefined, undefined],
      [503, (await detail(pending)).attempt_log[0].duration_ms],
    ]);
    await harness.api.db.query(
      `INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, duration_ms, error, response) VALUES ($1, $2, 2, now(), 777, 'timeout', '')`,
      [pending, harness.space.spaceId],
    );
    expect((await last())[1]).toEqual([null, 777]);
    expect(await detail(pending)).toMatchObject({ last_status_code: null, last_duration_ms: 777 });
  });

  test('shows when the next attempt is', async () => {
    const subscribed = await harness.subscribe();
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
    ['deleted', (id: string) => harness.call('DELETE', `/outgoing_webhooks/${id}`)],
  ])('%s: pending deliveries become dead', async (_, act) => {
    const subscribed = await harness.subscribe();
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

  test('does not receive events from its inactive time after it is enabled', async () => {
    const { id, receiver } = await harness.subscribe();
    await setStatus(id, 'inactive');
    await harness.post(channel, 'missed');
    await harness.planned();
    await setStatus(id, 'active');
    await harness.post(channel, 'heard');
    await harness.sent(id);
    expect(receiver.requests.map((request) => parse(request).data.text)).toEqual(['heard']);
  });

  test('an inactive space sends nothing, and its deliveries do not count', async () => {
    const other = await harness.otherSpace();
    const here = await other.channel();
    const { id, receiver } = await other.subscribe();
    await harness.api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [other.space.spaceId]);
    await other.post(here, 'nobody hears');
    await other.sent(id);
    expect(receiver.requests).toHaveLength(0);
    expect(
      await harness.api.db.query('SELECT status, error FROM deliveries WHERE target_id = $1', [id]),
    ).toEqual([{ status: 'dead', error: 'subscription inactive' }]);
    expect(
      await harness.api.db.query('SELECT consecutive_dead FROM outgoing_webhooks WHERE id = $1', [id]),
    ).toEqual([{ consecutive_dead: 0 }]);
    await harness.api.db.query('UPDATE spaces SET is_active = true WHERE id = $1', [other.space.spaceId]);
    await other.clear();
  });
});
