import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { uuidv7 } from 'uuidv7';
import { signStandardWebhook } from '@tieline/signing';
import { eventually, freePort, PUBLISHED_LANGUAGES, PublishedProgram, startReceiver } from '@tieline/testing';
import { parse, standardVerifies, startOutgoingHarness } from './testing/outgoing-harness.js';
import type { OutgoingHarness } from './testing/outgoing-harness.js';

let harness: OutgoingHarness;
beforeAll(async () => {
  harness = await startOutgoingHarness();
});
afterAll(() => harness?.close());

describe('the published subscriptions', () => {
  const document = readFileSync(new URL('../../../../docs/outgoing-webhooks.md', import.meta.url), 'utf8');
  const snippets = [...document.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => String(code));

  /** Runs the nth snippet in a shell. */
  async function made(nth: number, variables: Record<string, string>): Promise<Made> {
    const env = { BASE_URL: harness.api.url, ADMIN_TOKEN: harness.admin.token, ...variables };
    const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const { stdout } = await promisify(execFile)('env', [
      ...settings,
      'sh',
      '-eu',
      '-c',
      snippets[nth] ?? 'false',
    ]);
    return JSON.parse(stdout) as Made;
  }

  test('get messages with a keyword, with the messages before them as context', async () => {
    const receiver = await startReceiver();
    const { signing_secret: secret, subscription } = await made(0, { RECEIVER_URL: `${receiver.url}/hook` });
    const channel = await harness.channel();
    for (const text of ['Who is on calls?', 'An OUTAGE', 'Who is On  Call?'])
      await harness.post(channel, text);
    await harness.sent(subscription.id);
    const events = receiver.requests.map(parse).sort((a, b) => a.data.msg_index - b.data.msg_index);
    expect(events.map(({ data }) => data.text)).toEqual(['An OUTAGE', 'Who is On  Call?']);
    expect(events[1].context.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Who is on calls?',
      'An OUTAGE',
    ]);
    expect(standardVerifies(secret, receiver.requests[0]!)).toBe(true);
    await receiver.close();
  });

  test('get messages in a channel that mention someone', async () => {
    const receiver = await startReceiver();
    const [channel, other] = [await harness.channel(), await harness.channel()];
    const { subscription } = await made(1, {
      RECEIVER_URL: `${receiver.url}/hook`,
      CHANNEL_ID: channel,
      USER_ID: harness.admin.id,
    });
    const mention = `<@${harness.admin.id}> look`;
    await harness.post(channel, 'nobody');
    await harness.post(channel, mention);
    await harness.post(other, mention);
    await harness.sent(subscription.id);
    expect(receiver.requests.map(parse).map(({ data }) => [data.conversation_id, data.mentions])).toEqual([
      [channel, [harness.admin.id]],
    ]);
    await receiver.close();
  });
});

interface Made {
  signing_secret: string;
  subscription: { id: string };
}

describe.each(PUBLISHED_LANGUAGES)('the published receiver in %s', (language) => {
  let receiver: PublishedProgram;
  let secret: string;
  let id: string;
  let url: string;

  beforeAll(async () => {
    const port = await freePort();
    url = `http://127.0.0.1:${port}/hook`;
    const { body } = await harness.call('POST', '/outgoing_webhooks', {
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
    await harness.call('DELETE', `/outgoing_webhooks/${id}`);
    receiver?.close();
  });

  /** Sends a signed request with the given changes. @returns the status */
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

  test('accepts real deliveries', async () => {
    const channel = await harness.channel();
    const { eventId } = await harness.post(channel, 'to the published receiver ✓');
    await harness.sent(id);
    expect(await harness.deliveries(id)).toMatchObject([
      { status: 'success', attempts: 1, event_id: eventId },
    ]);
    await eventually(() => receiver.output.includes(`MESSAGE_CREATED ${eventId}`));
  });

  test('rejects forged, altered and old requests', async () => {
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

  test('handles a repeated delivery once', async () => {
    const deliveryId = uuidv7();
    const body = JSON.stringify({ event_type: 'REPEATED', event_id: deliveryId });
    expect([await send({ deliveryId, body }), await send({ deliveryId, body, age: 100 })]).toEqual([
      200, 200,
    ]);
    await eventually(() => receiver.output.includes(`REPEATED ${deliveryId}`));
    expect(receiver.output.split('REPEATED')).toHaveLength(2);
  });

  test('answers 503 to a delivery it could not handle and accepts the retry', async () => {
    const deliveryId = uuidv7();
    expect(await send({ deliveryId, body: 'no JSON' })).toBe(503);
    expect(await send({ deliveryId, body: '{"event_type":"AT_LAST","event_id":"2"}' })).toBe(200);
    await eventually(() => receiver.output.includes('AT_LAST 2'));
  });
});
