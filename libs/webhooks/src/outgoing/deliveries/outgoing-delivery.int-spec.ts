import { failing } from '@tieline/testing';
import type { ReceivedRequest } from '@tieline/testing';
import { contractSignature, parse, standardVerifies, startRig } from '../testing/outgoing-rig.js';
import type { Rig } from '../testing/outgoing-rig.js';

let rig: Rig;
let channel: string;

beforeAll(async () => {
  rig = await startRig();
  channel = await rig.channel();
});
afterAll(() => rig?.close());
afterEach(() => rig.clear());

describe('a delivery', () => {
  test("carries the envelope, the contract's headers and both signatures", async () => {
    const { receiver, secret, id } = await rig.subscribe();
    const { messageId, msgIndex, sentAt, eventId } = await rig.post(channel, 'héllo <@nobody> ✓');
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
      space_id: rig.space.spaceId,
      conversation_id: channel,
      thread_id: '',
      actor_user_id: rig.space.owner.id,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      schema_version: 1,
      data: {
        message_id: messageId,
        conversation_id: channel,
        author_id: rig.space.owner.id,
        text: 'héllo <@nobody> ✓',
        msg_index: msgIndex,
        sent_at: sentAt,
      },
    });
    await rig.sent(id);
    expect(await rig.deliveries(id)).toEqual([
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

  test('shares event id and bytes between subscriptions, but has its own id and signature', async () => {
    const first = await rig.subscribe();
    const second = await rig.subscribe();
    await rig.post(channel, 'to both');
    const [[a], [b]] = await Promise.all([first.receiver.waitFor(1), second.receiver.waitFor(1)]);
    expect(a?.body).toEqual(b?.body);
    expect(a?.headers['x-service-delivery-id']).not.toBe(b?.headers['x-service-delivery-id']);
    expect(a?.headers['x-service-signature']).not.toBe(b?.headers['x-service-signature']);
  });

  test('keeps bytes, id, timestamp and signature on every retry, across a rotation; the standard signature is fresh', async () => {
    const { receiver, secret, id } = await rig.subscribe();
    let rotated = '';
    receiver.respond(async () => {
      if (receiver.requests.length > 1) return 200;
      rotated = (await rig.call('POST', `/outgoing_webhooks/${id}/rotate_secret`)).body.signing_secret;
      return 503;
    });
    await rig.post(channel, 'again');
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
    await rig.post(channel, 'after the rotation');
    const third = await receiver.waitFor((request) => parse(request).data.text === 'after the rotation');
    expect(third.headers['x-service-signature']).toBe(contractSignature(rotated, third));
  });

  test('answered 2xx is a success whatever the body does: one that drips is sent once, and its status is logged', async () => {
    const { receiver, id } = await rig.subscribe();
    receiver.respond({ drip: { everyMs: 20 } });
    await rig.post(channel, 'x');
    await rig.sent(id);
    expect(await rig.deliveries(id)).toMatchObject([
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
  ])('answered %i in the end is %s after %i attempts', async (status, outcome, attempts) => {
    const { receiver, id } = await rig.subscribe();
    receiver.respond({ status, headers: { location: `${receiver.url}/elsewhere` } });
    await rig.post(channel, 'x');
    await rig.sent(id);
    expect(await rig.deliveries(id)).toMatchObject([{ status: outcome, attempts, next_attempt_at: null }]);
    expect(receiver.requests.map(({ url }) => url)).toEqual(Array.from({ length: attempts }, () => '/hook'));
  });

  test('that fails twice and then gets a 2xx is a success, with every attempt in its log', async () => {
    const { receiver, id } = await rig.subscribe();
    receiver.respond(failing(2));
    await rig.post(channel, 'x');
    await rig.sent(id);
    const [delivery] = await rig.deliveries(id);
    const { body } = await rig.call('GET', `/deliveries/${delivery.delivery_id}`);
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
