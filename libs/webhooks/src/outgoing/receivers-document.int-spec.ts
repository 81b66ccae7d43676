import { v7 as uuidv7 } from 'uuid';
import { signStandardWebhook } from '@tieline/signing';
import { eventually, freePort, PUBLISHED_LANGUAGES, PublishedProgram } from '@tieline/testing';
import { startRig } from './testing/outgoing-rig.js';
import type { Rig } from './testing/outgoing-rig.js';

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig?.close());

describe.each(PUBLISHED_LANGUAGES)('the published receiver in %s', (language) => {
  let receiver: PublishedProgram;
  let secret: string;
  let id: string;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hook`;
    const { body } = await rig.call('POST', '/outgoing_webhooks', {
      name: language,
      url,
      event_types: ['MESSAGE_CREATED'],
    });
    ({
      signing_secret: secret,
      subscription: { id },
    } = body);
    receiver = await PublishedProgram.of('docs/outgoing-webhooks.md', language);
    await receiver.start({ WEBHOOK_SECRET: secret, PORT: String(port) });
  });
  afterAll(async () => {
    await rig.call('DELETE', `/outgoing_webhooks/${id}`);
    receiver?.close();
  });

  /** Sends a request that is signed as the changes leave it. @returns the status */
  async function send({
    deliveryId = uuidv7(),
    age = 0,
    body = '{"event_type":"MADE_UP","event_id":"1"}',
    key = secret,
    tampered = '',
  } = {}): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const signature = signStandardWebhook(key, deliveryId, timestamp, Buffer.from(body));
    const headers = {
      'webhook-id': deliveryId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    return (await fetch(url, { method: 'POST', headers, body: body + tampered })).status;
  }

  test('takes real deliveries', async () => {
    const channel = await rig.channel();
    const { eventId } = await rig.post(channel, 'to the published receiver ✓');
    await rig.sent(id);
    expect(await rig.deliveries(id)).toMatchObject([{ status: 'success', attempts: 1, event_id: eventId }]);
    await eventually(() => receiver.output.includes(`MESSAGE_CREATED ${eventId}`));
  });

  test('refuses what is forged, altered or too old', async () => {
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect([
      await send({ key: other }),
      await send({ tampered: ' ' }),
      await send({ age: 400 }),
      await send({ age: -400 }),
    ]).toEqual([401, 401, 401, 401]);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(receiver.output).not.toContain('MADE_UP');
  });

  test('deals with a repeat once', async () => {
    const deliveryId = uuidv7();
    const body = JSON.stringify({ event_type: 'REPEATED', event_id: deliveryId });
    expect([await send({ deliveryId, body }), await send({ deliveryId, body, age: 100 })]).toEqual([
      200, 200,
    ]);
    await eventually(() => receiver.output.includes(`REPEATED ${deliveryId}`));
    expect(receiver.output.split('REPEATED')).toHaveLength(2);
  });

  test('answers 503 to what it could not deal with, and takes it the next time', async () => {
    const deliveryId = uuidv7();
    expect(await send({ deliveryId, body: 'no JSON' })).toBe(503);
    expect(await send({ deliveryId, body: '{"event_type":"AT_LAST","event_id":"2"}' })).toBe(200);
    await eventually(() => receiver.output.includes('AT_LAST 2'));
  });
});
