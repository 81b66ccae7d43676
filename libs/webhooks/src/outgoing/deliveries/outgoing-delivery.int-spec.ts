import { failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import {
  contractSignature,
  parse,
  standardVerifies,
  startOutgoingHarness,
} from '../testing/outgoing-harness.js';
import type { OutgoingHarness } from '../testing/outgoing-harness.js';

let harness: OutgoingHarness;
let channel: string;

beforeAll(async () => {
  harness = await startOutgoingHarness();
  channel = await harness.channel();
});
afterAll(() => harness?.close());
afterEach(() => harness.clear());

describe('a delivery', () => {
  test('contains the envelope, the documented headers and both signatures', async () => {
    const { receiver, secret, id } = await harness.subscribe();
    const { messageId, msgIndex, sentAt, eventId } = await harness.post(channel, 'héllo <@nobody> ✓');
    const [request] = await receiver.waitFor(1);
    if (!request) throw new Error('nothing came');
    expect(request).toMatchObject({ method: 'POST', url: '/hook' });
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Tieline\/\d/),
      'x-service-event': 'MESSAGE_CREATED',
      'x-service-webhook-version': '1',
      'x-service-attempt': '1',
      'x-service-delivery-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f-]{17}$/),
      'x-service-signature': contractSignature(secret, request),
    });
    expect(Math.abs(Number(request.headers['x-service-timestamp']) - Date.now() / 1000)).toBeLessThan(10);
    expect(request.headers['webhook-id']).toBe(request.headers['x-service-delivery-id']);
    expect(standardVerifies(secret, request)).toBe(true);
    const body = parse(request);
    expect(Object.keys(body)).toEqual([
      'event_id',
      'event_type',
      'space_id',
      'conversation_id',
      'thread_id',
      'actor_user_id',
      'occurred_at',
      'schema_version',
      'data',
    ]);
    expect(body).toMatchObject({
      event_id: eventId,
      event_type: 'MESSAGE_CREATED',
      space_id: harness.space.spaceId,
      conversation_id: channel,
      thread_id: '',
      actor_user_id: harness.space.owner.id,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      schema_version: 1,
      data: {
        message_id: messageId,
        conversation_id: channel,
        author_id: harness.space.owner.id,
        text: 'héllo <@nobody> ✓',
        msg_index: msgIndex,
        sent_at: sentAt,
      },
    });
    await harness.sent(id);
    expect(await harness.deliveries(id)).toEqual([
      {
        delivery_id: request.headers['x-service-delivery-id'],
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

  test('shares event id and body between subscriptions, but has its own id and signature', async () => {
    const first = await harness.subscribe();
    const second = await harness.subscribe();
    await harness.post(channel, 'to both');
    const [[a], [b]] = await Promise.all([first.receiver.waitFor(1), second.receiver.waitFor(1)]);
    expect(a?.body).toEqual(b?.body);
    expect(a?.headers['x-service-delivery-id']).not.toBe(b?.headers['x-service-delivery-id']);
    expect(a?.headers['x-service-signature']).not.toBe(b?.headers['x-service-signature']);
  });

  test('keeps body, id, timestamp and signature on every retry, across a rotation, and renews the standard signature', async () => {
    const { receiver, secret, id } = await harness.subscribe();
    let rotated = '';
    receiver.respond(async () => {
      if (receiver.requests.length > 1) return 200;
      rotated = (await harness.call('POST', `/outgoing_webhooks/${id}/rotate_secret`)).body.signing_secret;
      return 503;
    });
    await harness.post(channel, 'again');
    const [first, second] = (await receiver.waitFor(2)) as [ReceivedRequest, ReceivedRequest];
    expect(second.body).toEqual(first.body);
    for (const name of [
      'x-service-delivery-id',
      'x-service-timestamp',
      'x-service-signature',
      'x-service-event',
      'x-service-webhook-version',
      'webhook-id',
    ]) {
      expect([name, second.headers[name]]).toEqual([name, first.headers[name]]);
    }
    expect(second.headers['x-service-signature']).toBe(contractSignature(secret, second));
    expect([first.headers['x-service-attempt'], second.headers['x-service-attempt']]).toEqual(['1', '2']);
    expect(standardVerifies(rotated, second)).toBe(true);
    await harness.post(channel, 'after the rotation');
    const third = await receiver.waitFor((request) => parse(request).data.text === 'after the rotation');
    expect(third.headers['x-service-signature']).toBe(contractSignature(rotated, third));
  });

  test('answered with 2xx is a success even if the response body drips', async () => {
    const { receiver, id } = await harness.subscribe();
    receiver.respond({ drip: { everyMs: 20 } });
    await harness.post(channel, 'x');
    await harness.sent(id);
    expect(await harness.deliveries(id)).toMatchObject([
      { status: 'success', attempts: 1, last_status_code: 200 },
    ]);
    expect(receiver.requests).toHaveLength(1);
  });

  test.each([
    [200, 'success', 1],
    [204, 'success', 1],
    [301, 'dead', 1],
    [302, 'dead', 1],
    [400, 'dead', 1],
    [401, 'dead', 1],
    [404, 'dead', 1],
    [410, 'dead', 1],
    [408, 'dead', 3],
    [429, 'dead', 3],
    [500, 'dead', 3],
    [503, 'dead', 3],
  ])('a final response of %i makes the delivery %s after %i attempts', async (status, outcome, attempts) => {
    const { receiver, id } = await harness.subscribe();
    receiver.respond({ status, headers: { location: `${receiver.url}/elsewhere` } });
    await harness.post(channel, 'x');
    await harness.sent(id);
    expect(await harness.deliveries(id)).toMatchObject([
      { status: outcome, attempts, next_attempt_at: null },
    ]);
    expect(receiver.requests.map(({ url }) => url)).toEqual(Array.from({ length: attempts }, () => '/hook'));
  });

  test('with two failures and then a 2xx is a success with all attempts in its log', async () => {
    const { receiver, id } = await harness.subscribe();
    receiver.respond(failing(2));
    await harness.post(channel, 'x');
    await harness.sent(id);
    const [delivery] = await harness.deliveries(id);
    const { body } = await harness.call('GET', `/deliveries/${delivery.delivery_id}`);
    expect(body.delivery).toMatchObject({
      ...delivery,
      status: 'success',
      attempts: 3,
      request: {
        headers: { 'X-Service-Signature': receiver.requests[0]?.headers['x-service-signature'] },
        body: receiver.requests[0]?.body.toString(),
      },
      attempt_log: [
        { status_code: 500, error: null },
        { status_code: 500 },
        {
          status_code: 200,
          response: expect.any(String),
          duration_ms: expect.any(Number),
          at: expect.stringMatching(/Z$/),
        },
      ],
    });
    expect(JSON.stringify(body)).not.toContain('whsec_');
  });
});
