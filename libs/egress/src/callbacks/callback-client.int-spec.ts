import { Environment } from '@tieline/platform/config';
import { EgressClient, EgressSettings } from '../index.js';
import { Metrics } from '@tieline/platform/observability';
import { newSigningSecret, verifyVersioned } from '@tieline/signing';
import { startReceiver } from '@tieline/testing';
import type { ReceivedRequest, Receiver, ReceiverAnswer } from '@tieline/testing';
import { EgressMetrics } from '../egress.metrics.js';
import { CallbackClient } from './callback-client.js';

const SECRET = newSigningSecret();
const PAYLOAD = { event_type: 'button.click', data: 'Привет' };

let receiver: Receiver;
let egress: EgressClient;
let metrics: Metrics;
let client: CallbackClient;
beforeEach(async () => {
  receiver = await startReceiver();
  client = clientWith({});
});
afterEach(async () => {
  await receiver.close();
  await egress.close();
});

function clientWith(env: Record<string, string>): CallbackClient {
  const settings = new EgressSettings(
    new Environment({
      EGRESS_ALLOW_HTTP: 'true',
      EGRESS_ALLOWED_CIDRS: '127.0.0.0/8',
      CALLBACK_TIMEOUT_MS: '60000',
      ...env,
    }),
  );
  egress = EgressClient.fromSettings(settings);
  metrics = new Metrics();
  return new CallbackClient(egress, settings, new EgressMetrics(metrics));
}

const ask = (url = `${receiver.url}/hook`): ReturnType<CallbackClient['ask']> =>
  client.ask({
    url,
    secret: SECRET,
    event: 'button.click',
    deliveryId: '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11',
    headers: { 'X-Service-Command': 'deploy' },
    payload: PAYLOAD,
  });

test('during a rotation a second signature uses the previous secret', async () => {
  receiver.respond(200);
  const previousSecret = newSigningSecret();
  await client.ask({
    url: receiver.url,
    secret: SECRET,
    previousSecret,
    event: 'button.click',
    deliveryId: '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11',
    payload: PAYLOAD,
  });
  const [{ headers, body }] = (await receiver.waitFor(1)) as [ReceivedRequest];
  const verifies = (secret: string, name: string): boolean =>
    verifyVersioned(secret, String(headers['x-service-timestamp']), body, String(headers[name]));
  expect(verifies(SECRET, 'x-service-signature')).toBe(true);
  expect(verifies(previousSecret, 'x-service-signature-previous')).toBe(true);
  await ask();
  expect(receiver.requests[1]!.headers).not.toHaveProperty('x-service-signature-previous');
});

test('the request is signed over its raw bytes and has the headers of a callback', async () => {
  receiver.respond({ status: 200, body: { ephemeral_text: 'done' } });
  const begun = Math.floor(Date.now() / 1000);
  expect(await ask()).toEqual({ kind: 'answered', answer: { ephemeral_text: 'done' } });
  const [request] = await receiver.waitFor(1);
  expect(JSON.parse(request!.body.toString('utf8'))).toEqual(PAYLOAD);
  expect(request).toMatchObject({
    method: 'POST',
    url: '/hook',
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'button.click',
      'x-service-delivery-id': '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11',
      'x-service-webhook-version': '1',
      'x-service-command': 'deploy',
      'user-agent': expect.stringMatching(/^Tieline\//),
    },
  });
  const timestamp = String(request!.headers['x-service-timestamp']);
  expect(Number(timestamp)).toBeGreaterThanOrEqual(begun);
  expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1000);
  expect(
    verifyVersioned(SECRET, timestamp, request!.body, String(request!.headers['x-service-signature'])),
  ).toBe(true);
});

test.each([
  ['no body', 204],
  ['an empty body', { status: 200, body: '' }],
  ['white space', { status: 200, body: ' \r\n' }],
] satisfies [string, ReceiverAnswer][])('%s is an empty answer', async (_name, answer) => {
  receiver.respond(answer);
  expect(await ask()).toEqual({ kind: 'answered', answer: undefined });
});

test.each([
  ['a 500', 500, 'status'],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, 'status'],
  ['a 404', 404, 'status'],
  ['no JSON', { status: 200, body: 'fine' }, 'bad_answer'],
  ['an array', { status: 200, body: '[]' }, 'bad_answer'],
  ['null', { status: 200, body: 'null' }, 'bad_answer'],
  ['no UTF-8', { status: 200, body: Buffer.from([0x7b, 0xff, 0x7d]) }, 'bad_answer'],
  ['more than 64 KiB', { status: 200, body: { ephemeral_text: 'x'.repeat(65_536) } }, 'bad_answer'],
  ['more than 64 KiB with white space', { status: 200, body: `{}${' '.repeat(65_536)}` }, 'bad_answer'],
  ['a cut connection', 'reset', 'unreachable'],
  ['no answer', 'hang', 'timeout'],
  ['a slow answer', { drip: { everyMs: 50 } }, 'timeout'],
] satisfies [string, ReceiverAnswer, string][])('%s is a failure', async (_name, answer, reason) => {
  if (reason === 'timeout') {
    await egress.close();
    client = clientWith({ CALLBACK_TIMEOUT_MS: '500' });
  }
  receiver.respond(answer);
  expect(await ask()).toEqual({ kind: 'failed', reason });
  expect(await metrics.text()).toContain(
    `tieline_callback_duration_seconds_count{event="button.click",outcome="${reason}"} 1`,
  );
});

test('does not connect to an address that the egress policy refuses', async () => {
  await egress.close();
  client = clientWith({ EGRESS_ALLOWED_CIDRS: '' });
  expect(await ask()).toEqual({ kind: 'failed', reason: 'refused' });
  expect(receiver.requests).toEqual([]);
});

test('sends once to a receiver that cuts the connection after an earlier answer', async () => {
  receiver.respond({ status: 200, body: {} });
  expect((await ask()).kind).toBe('answered');
  receiver.respond('reset');
  expect(await ask()).toEqual({ kind: 'failed', reason: 'unreachable' });
  expect(receiver.requests).toHaveLength(2);
});
