import { eventually } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { contractSignature, parse, startOutgoingHarness } from '../testing/outgoing-harness.js';
import type { OutgoingHarness, TestSubscription } from '../testing/outgoing-harness.js';
import type { RecoveryView } from './recovery.view.js';

const WAIT = { status: 503, headers: { 'retry-after': '60' } };
const HOUR_MS = 3_600_000;
let harness: OutgoingHarness;
let stranger: OutgoingHarness;
let channel: string;
let subscription: TestSubscription;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  stranger = await harness.otherSpace();
});
beforeEach(async () => {
  channel = await harness.channel();
  subscription = await harness.subscribe();
});
afterEach(() => harness.clear());
afterAll(() => harness?.close());

const since = new Date(Date.now() - HOUR_MS).toISOString();
const recover = (body: object = {}, id = subscription.id) =>
  harness.call('POST', `/outgoing_webhooks/${id}/recover`, { since, only: 'failed', ...body });
const shown = async (id: string): Promise<RecoveryView> =>
  (await harness.call('GET', `/recoveries/${id}`)).body.recovery;
const ended = (id: string) =>
  eventually(async () => expect((await shown(id)).state).not.toBe('running'), { timeoutMs: 60_000 });

/** Fills the backlog of a subscription, so that a recovery to it plans nothing. */
const block = ({ id }: TestSubscription) =>
  harness.api.db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, due_at)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, 8, now() + interval '1 hour' FROM generate_series(1, 1000)`,
    [harness.space.spaceId, id],
  );

/**
 * Posts one message per status. Each delivery is settled before the next.
 * @returns the event ids
 */
async function deliver(...statuses: number[]): Promise<string[]> {
  const events: string[] = [];
  for (const status of statuses) {
    subscription.receiver.respond(status);
    events.push((await harness.post(channel, `gets ${status}`)).eventId);
    await harness.sent(subscription.id);
  }
  subscription.receiver.respond(200);
  return events;
}

/** Returns the events a receiver got from the nth request on. */
const eventsOf = ({ receiver }: TestSubscription, from = 0): string[] =>
  receiver.requests.slice(from).map((request) => parse(request).event_id as string);

describe('recovering', () => {
  test('sends dead deliveries again, oldest first, with the same events and bodies, new ids and new signatures', async () => {
    const [, second, third] = await deliver(200, 400, 400);
    const { status, body } = await recover();
    expect([status, body.recovery]).toEqual([
      200,
      {
        id: expect.any(String),
        state: 'running',
        total: 2,
        done: 0,
        succeeded: 0,
        failed: 0,
        outgoing_webhook_id: subscription.id,
        to: subscription.id,
        only: 'failed',
        since,
        until: expect.stringMatching(/Z$/),
        event_types: [],
        created_at: expect.stringMatching(/Z$/),
      },
    ]);
    await ended(body.recovery.id);
    expect(await shown(body.recovery.id)).toMatchObject({
      state: 'done',
      total: 2,
      done: 2,
      succeeded: 2,
      failed: 0,
    });
    expect(eventsOf(subscription, 3)).toEqual([second, third]);
    const [, before, , ...after] = subscription.receiver.requests;
    const again = after.find((request) => parse(request).event_id === second)!;
    expect(again.body).toEqual(before!.body);
    expect(again.headers['x-service-delivery-id']).not.toBe(before!.headers['x-service-delivery-id']);
    expect(again.headers['x-service-signature']).toBe(contractSignature(subscription.secret, again));
  });

  test('a successful redelivery is recorded, and its event is not sent again', async () => {
    await deliver(400);
    const [{ delivery_id: id }] = await harness.deliveries(subscription.id);
    await ended((await recover()).body.recovery.id);
    await harness.sent(subscription.id);
    const [later, first] = await harness.deliveries(subscription.id);
    expect([first, later]).toMatchObject([
      { delivery_id: id, status: 'dead', redelivered_as: later.delivery_id },
      { status: 'success' },
    ]);
    expect(await harness.deliveries(subscription.id, '?filter=failed')).toEqual([]);
    expect((await recover()).body.recovery).toMatchObject({ state: 'done', total: 0 });
  });

  test('an event whose redelivery also failed is sent once', async () => {
    await deliver(400);
    const [{ delivery_id: id }] = await harness.deliveries(subscription.id);
    subscription.receiver.respond(400);
    await harness.call('POST', `/deliveries/${id}/redeliver`);
    await harness.sent(subscription.id);
    subscription.receiver.respond(200);
    await block(subscription);
    for (const only of ['failed', 'all']) {
      const { recovery } = (await recover({ only })).body;
      expect([only, recovery.total]).toEqual([only, 1]);
      await harness.call('DELETE', `/recoveries/${recovery.id}`);
    }
  });

  test('only: all includes finished deliveries, but no test sends or pending ones', async () => {
    const events = await deliver(200, 400);
    await harness.call('POST', `/outgoing_webhooks/${subscription.id}/test`);
    subscription.receiver.respond(WAIT);
    await harness.post(channel, 'pending');
    await eventually(() => subscription.receiver.requests.length === 4);
    subscription.receiver.respond(200);
    const { recovery } = (await recover({ only: 'all' })).body;
    expect(recovery.total).toBe(2);
    await ended(recovery.id);
    expect(eventsOf(subscription, 4)).toEqual(events);
  });

  test('each event is sent at most once and in order, whatever was sent again before', async () => {
    const events = await deliver(200, 400, 400, 200, 400, 200);
    await ended((await recover()).body.recovery.id);
    const other = await harness.subscribe({ event_types: ['CONVERSATION_CREATED'] });
    // Twice, so that the other delivery has had each as well.
    for (const to of [other.id, other.id, undefined]) {
      const before = [other.receiver.requests.length, subscription.receiver.requests.length] as const;
      const { recovery } = (await recover({ only: 'all', to })).body;
      expect(recovery.total).toBe(6);
      await ended(recovery.id);
      expect(await shown(recovery.id)).toMatchObject({ state: 'done', done: 6, succeeded: 6 });
      const got = to === undefined ? eventsOf(subscription, before[1]) : eventsOf(other, before[0]);
      expect(got).toEqual(events);
    }
    const { recovery } = (await recover({ only: 'all', to: subscription.id }, other.id)).body;
    expect(recovery.total).toBe(6);
    await ended(recovery.id);
    expect(eventsOf(subscription).slice(-6)).toEqual(events);
  });

  test('an event is not sent again if its second redelivery succeeded', async () => {
    await deliver(400);
    const [{ delivery_id: id }] = await harness.deliveries(subscription.id);
    for (const status of [400, 200]) {
      subscription.receiver.respond(status);
      await harness.call('POST', `/deliveries/${id}/redeliver`);
      await harness.sent(subscription.id);
    }
    expect((await recover()).body.recovery).toMatchObject({ state: 'done', total: 0 });
  });

  test('is done when every delivery has finished, with the counts', async () => {
    const events = await deliver(400, 400, 400);
    subscription.receiver.respond((request) => (parse(request).event_id === events[1] ? WAIT : 200));
    const { recovery } = (await recover()).body;
    // The delivery waiting for its retry delays no other, but the recovery is not done.
    await eventually(async () => expect(await shown(recovery.id)).toMatchObject({ done: 2, succeeded: 2 }));
    expect(eventsOf(subscription, 3)).toEqual(events);
    expect(await shown(recovery.id)).toMatchObject({ state: 'running', total: 3 });
    subscription.receiver.respond(400);
    await harness.api.db.query(`UPDATE delivery_queue SET due_at = now() WHERE target_id = $1`, [
      subscription.id,
    ]);
    await ended(recovery.id);
    expect(await shown(recovery.id)).toMatchObject({
      state: 'done',
      total: 3,
      done: 3,
      succeeded: 2,
      failed: 1,
    });
    expect(await harness.api.db.query('SELECT 1 FROM outgoing_recovered_events')).toEqual([]);
  });

  test('cancelling stops it and closes its pending deliveries', async () => {
    const events = await deliver(...Array<number>(20).fill(400));
    // Not 503: the breaker would open.
    subscription.receiver.respond({ ...WAIT, status: 429 });
    const { recovery } = (await recover()).body;
    await eventually(() => expect(subscription.receiver.requests).toHaveLength(20 + 16));
    const cancelled = (await harness.call('DELETE', `/recoveries/${recovery.id}`)).body.recovery;
    await harness.sent(subscription.id);
    await eventually(async () =>
      expect(await shown(recovery.id)).toMatchObject({ state: 'cancelled', total: 20, done: 16, failed: 16 }),
    );
    expect(cancelled).toMatchObject({ state: 'cancelled', succeeded: 0 });
    expect(eventsOf(subscription, 20)).toEqual(events.slice(0, 16));
    const [latest] = await harness.deliveries(subscription.id);
    expect((await harness.call('GET', `/deliveries/${latest.delivery_id}`)).body.delivery.error).toBe(
      'recovery cancelled',
    );
    // All of them can still be recovered.
    await block(subscription);
    expect((await recover()).body.recovery).toMatchObject({ total: 20 });
  });

  test('is limited to the given time and types', async () => {
    const [first, second] = await deliver(400, 400);
    const at = async (eventId: string | undefined): Promise<string> =>
      (await harness.deliveries(subscription.id)).find(({ event_id: id }) => id === eventId).created_at;
    const later = await at(second);
    await block(subscription);
    for (const [bounds, total] of [
      [{ until: later }, 1],
      [{ since: later }, 1],
      [{ event_types: ['REACTION_ADDED'] }, 0],
      [{ event_types: ['MESSAGE_CREATED'], since: await at(first) }, 2],
    ] as const) {
      const { recovery } = (await recover(bounds)).body;
      expect([bounds, recovery.total]).toEqual([bounds, total]);
      await harness.call('DELETE', `/recoveries/${recovery.id}`);
    }
  });

  test('may send to another subscription of the space, whatever its event types', async () => {
    const [event] = await deliver(400);
    const other = await harness.subscribe({ event_types: ['CONVERSATION_CREATED'] });
    const { recovery } = (await recover({ to: other.id })).body;
    await ended(recovery.id);
    await harness.sent(other.id);
    expect(eventsOf(other)).toEqual([event]);
    const [request] = other.receiver.requests;
    expect(request!.headers['x-service-signature']).toBe(contractSignature(other.secret, request!));
    expect(subscription.receiver.requests).toHaveLength(1);
    expect(await harness.deliveries(subscription.id, '?filter=failed')).toEqual([]);
  });

  test('hands over no more than the rate allows, and can be cancelled', async () => {
    const slow = await startOutgoingHarness({ RATE_DELIVERIES_PER_SECOND: '1,1,1' });
    try {
      const target = await slow.subscribe();
      const place = await slow.channel();
      target.receiver.respond(400);
      for (let n = 0; n < 12; n += 1) await slow.post(place, `${n}`);
      await slow.planned();
      await slow.api.db.query(
        `WITH q AS (DELETE FROM delivery_queue RETURNING id)
         UPDATE deliveries d SET status = 'dead', error = 'made dead' FROM q WHERE d.id = q.id`,
      );
      target.receiver.respond(WAIT);
      const response = await slow.call('POST', `/outgoing_webhooks/${target.id}/recover`, {
        since,
        only: 'failed',
      });
      const { id, total } = response.body.recovery;
      const state = async () => (await slow.call('GET', `/recoveries/${id}`)).body.recovery;
      // One at a time, because the rate is one per second.
      await target.receiver.waitFor(1);
      await eventually(async () =>
        expect(await slow.api.db.query('SELECT 1 FROM delivery_queue')).toHaveLength(1),
      );
      expect(await state()).toMatchObject({ state: 'running', total, done: 0 });
      const cancelled = await slow.call('DELETE', `/recoveries/${id}`);
      expect(cancelled.body.recovery).toMatchObject({ id, state: 'cancelled' });
      await eventually(async () =>
        expect(await state()).toMatchObject({ state: 'cancelled', done: 1, failed: 1 }),
      );
    } finally {
      await slow.close();
    }
  });

  test('a failing recovery does not delay others and continues later', async () => {
    const other = await harness.subscribe();
    other.receiver.respond(400);
    await deliver(400);
    await harness.sent(other.id);
    other.receiver.respond(200);
    // Recoveries are processed by subscription id, so the failing one is first.
    await harness.api.db.query(
      `CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$;
       CREATE TRIGGER no_room BEFORE INSERT ON delivery_queue FOR EACH ROW
         WHEN (NEW.target_id = '${subscription.id}') EXECUTE FUNCTION no_room()`,
    );
    const [failing, fine] = [(await recover()).body.recovery, (await recover({}, other.id)).body.recovery];
    try {
      await ended(fine.id);
      expect(await shown(fine.id)).toMatchObject({ state: 'done', done: 1 });
      expect(await shown(failing.id)).toMatchObject({ state: 'running', done: 0 });
    } finally {
      await harness.api.db.query('DROP FUNCTION no_room CASCADE');
    }
    await ended(failing.id);
    expect(await shown(failing.id)).toMatchObject({ state: 'done', done: 1 });
  });

  test('ends when the target is disabled', async () => {
    await deliver(400);
    const other = await harness.subscribe();
    await block(other);
    const { recovery } = (await recover({ to: other.id })).body;
    await harness.call('PATCH', `/outgoing_webhooks/${other.id}`, { status: 'inactive' });
    await ended(recovery.id);
    expect(await shown(recovery.id)).toMatchObject({ state: 'cancelled', done: 0 });
  });
});

describe('refusals', () => {
  test.each<[string, object, number, string]>([
    ['no since', { since: undefined }, 400, 'since'],
    ['an invalid since', { since: 'yesterday' }, 400, 'since'],
    ['an invalid until', { until: 'now' }, 400, 'until'],
    ['no only', { only: undefined }, 400, 'only'],
    ['an unknown only', { only: 'dead' }, 400, 'only'],
    ['unknown event types', { event_types: ['WEBHOOK_TEST'] }, 400, 'event_types'],
    ['an unknown target', { to: uuidv7() }, 400, 'to'],
  ])('%s', async (_name, body, status, field) => {
    expect(await recover(body)).toMatchObject({ status, body: { field } });
  });

  test("another space's target and recovery", async () => {
    const foreign = await stranger.subscribe();
    expect(await recover({ to: foreign.id })).toMatchObject({ status: 400, body: { field: 'to' } });
    const { recovery } = (await recover()).body;
    for (const method of ['GET', 'DELETE'])
      expect((await stranger.call(method, `/recoveries/${recovery.id}`)).status).toBe(404);
    expect((await stranger.call('GET', `/outgoing_webhooks/${subscription.id}/recoveries`)).status).toBe(404);
    await stranger.clear();
  });

  test('an inactive source or target', async () => {
    const other = await harness.subscribe({ status: 'inactive' });
    const refusal = { status: 409, body: { code: 'subscription_inactive' } };
    expect(await recover({ to: other.id })).toMatchObject(refusal);
    expect(await recover({ to: subscription.id }, other.id)).toMatchObject(refusal);
  });

  test('a second recovery while the first is running', async () => {
    await deliver(400);
    await block(subscription);
    const responses = await Promise.all([recover(), recover()]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(responses.find(({ status }) => status === 409)!.body.code).toBe('recovery_running');
    const first = responses.find(({ status }) => status === 200)!.body.recovery.id;
    await harness.call('DELETE', `/recoveries/${first}`);
    const second = (await recover({ event_types: ['REACTION_ADDED'] })).body.recovery.id;
    const { recoveries } = (await harness.call('GET', `/outgoing_webhooks/${subscription.id}/recoveries`))
      .body;
    expect(recoveries).toMatchObject([
      { id: second, state: 'done' },
      { id: first, state: 'cancelled' },
    ]);
  });
});

describe('many concurrent requests hold at most two connections while they wait', () => {
  test('to start a recovery', async () => {
    const { answers, waited } = await harness.api.whileRowLocked('outgoing_webhooks', subscription.id, () =>
      Array.from({ length: 12 }, () => recover()),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });

  test('to cancel a recovery', async () => {
    await deliver(400);
    await block(subscription);
    const { id } = (await recover()).body.recovery;
    const { answers, waited } = await harness.api.whileRowLocked('outgoing_recoveries', id, () =>
      Array.from({ length: 12 }, () => harness.call('DELETE', `/recoveries/${id}`)),
    );
    expect(waited).toBe(2);
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });
});
