import { signDottedV1 } from '@tieline/signing';
import { eventually, freePort, PUBLISHED_LANGUAGES, PublishedProgram } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { EventsHarness } from '../testing/events-harness.js';

let harness: EventsHarness;
beforeAll(async () => {
  harness = await EventsHarness.start();
});
afterAll(() => harness?.close());

describe.each(PUBLISHED_LANGUAGES)('the published receiver in %s', (language) => {
  let receiver: PublishedProgram;
  let bot: Awaited<ReturnType<EventsHarness['bot']>>;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/events`;
    bot = await harness.bot({ event_delivery_mode: 'webhook', webhook_url: url });
    receiver = await PublishedProgram.of('docs/push.md', language);
    await receiver.start({ WEBHOOK_SECRET: bot.secret, PORT: String(port) });
  });
  afterAll(async () => {
    await harness.change(bot, { event_delivery_mode: 'none' });
    receiver?.close();
  });

  /**
   * Sends a signed request with the given changes.
   * @returns the status
   */
  async function send({
    age = 0,
    body = '{"event_type":"MADE_UP","event_id":"1"}',
    key = bot.secret,
    tampered = '',
  } = {}): Promise<number> {
    const timestamp = Math.floor(Date.now() / 1000) - age;
    const headers = {
      'X-Service-Timestamp': String(timestamp),
      'X-Service-Signature': signDottedV1(key, timestamp, Buffer.from(body)),
    };
    return (await fetch(url, { method: 'POST', headers, body: body + tampered })).status;
  }

  test('accepts real pushes', async () => {
    const { eventId } = await harness.post(await harness.channel(), 'to the published receiver ✓');
    await harness.sent(bot);
    expect(await harness.deliveries(bot)).toMatchObject([
      { status: 'success', attempts: 1, event_id: eventId },
    ]);
    await eventually(() => receiver.output.includes(`MESSAGE_CREATED ${eventId}`));
  });

  test('refuses forged, altered or expired requests', async () => {
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

  test('handles an event once, however often it arrives', async () => {
    const body = JSON.stringify({ event_type: 'REPEATED', event_id: uuidv7() });
    expect([await send({ body }), await send({ body, age: 100 })]).toEqual([200, 200]);
    await eventually(() => receiver.output.includes('REPEATED'));
    expect(receiver.output.split('REPEATED')).toHaveLength(2);
  });

  test('responds 503 if handling failed', async () => {
    expect(await send({ body: 'no JSON' })).toBe(503);
  });
});
