import { startReceiver } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { inspect } from 'node:util';
import { IncomingWebhook } from './incoming-webhook.js';
import { verify } from './verify.js';

const secret = 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=';
const PATH = '/api/v1/webhooks/incoming/tlw_s3cret';

let server: Receiver;
beforeEach(async () => void (server = await startReceiver({ body: { ok: true, message_id: 'm1' } })));
afterEach(() => server.close());

const hook = (options = {}) => new IncomingWebhook({ url: server.url + PATH, secret, ...options });
const sent = () =>
  server.requests.map(({ method, url, body }) => [
    method,
    url,
    body.length > 0 ? JSON.parse(body.toString()) : undefined,
  ]);

test('sends, resolves, edits and deletes, each signed', async () => {
  expect(await hook().send('Disk is full')).toEqual({ ok: true, message_id: 'm1' });
  await hook().send({ text: 'CPU', severity: 'critical', dedup_key: 'cpu/db1', thread_key: 'db1' });
  await hook().resolve('cpu/db1');
  await hook().resolve('cpu/db1', { text: 'CPU is fine' });
  await hook().edit('m1', 'Disk is fine');
  await hook().delete('m/1');
  expect(sent()).toEqual([
    ['POST', PATH, { text: 'Disk is full' }],
    ['POST', PATH, { text: 'CPU', severity: 'critical', dedup_key: 'cpu/db1', thread_key: 'db1' }],
    ['POST', PATH, { text: '', dedup_key: 'cpu/db1', resolved: true }],
    ['POST', PATH, { text: 'CPU is fine', dedup_key: 'cpu/db1', resolved: true }],
    ['PATCH', `${PATH}/messages/m1`, { text: 'Disk is fine' }],
    ['DELETE', `${PATH}/messages/m%2F1`, undefined],
  ]);
  for (const { headers, body } of server.requests)
    expect(await verify({ scheme: 'incoming_native', secret, headers, body })).toMatchObject({ ok: true });
});

test('equal messages within a second have different signatures', async () => {
  const one = hook();
  const before = Math.floor(Date.now() / 1000);
  await Promise.all(Array.from({ length: 3 }, () => one.send('Hi')));
  const signatures = server.requests.map(({ headers }) => headers['x-service-signature']);
  expect(new Set(signatures).size).toBe(3);
  for (const { headers } of server.requests)
    expect(Math.abs(Number(headers['x-service-timestamp']) - before)).toBeLessThan(30);
});

test('supports the other scheme and unsigned requests', async () => {
  await hook({ scheme: 'incoming_compat' }).send('Hi');
  await hook({ secret: undefined }).send('Hi');
  const [compat, plain] = server.requests;
  expect(await verify({ scheme: 'incoming_compat', secret, ...compat! })).toMatchObject({ ok: true });
  expect(Object.keys(plain!.headers).filter((name) => name.startsWith('x-'))).toEqual([]);
});

test('retries with the same key and a new signature', async () => {
  const answers = [
    'reset',
    502,
    { status: 429, headers: { 'retry-after': '1' } },
    { body: { ok: true, message_id: 'm1' } },
  ] as const;
  let next = 0;
  server.respond(() => answers[next++]!);
  await hook().send('Hi');
  const headers = server.requests.map((request) => request.headers);
  expect(headers).toHaveLength(4);
  expect(new Set(headers.map((each) => each['idempotency-key'])).size).toBe(1);
  expect(Number(headers[3]!['x-service-timestamp'])).toBeGreaterThan(
    Number(headers[0]!['x-service-timestamp']),
  );
  for (const { headers, body } of server.requests)
    expect(await verify({ scheme: 'incoming_native', secret, headers, body })).toMatchObject({ ok: true });
});

test('a rejection reveals neither address nor secret', async () => {
  server.respond({ status: 401, body: { ok: false, error: 'request rejected' } });
  const error = await hook()
    .send('Hi')
    .catch((error: Error) => error);
  expect(error).toMatchObject({ status: 401, code: 'http_401' });
  for (const text of [String(error), inspect(hook(), { depth: 9, showHidden: true })])
    expect(text).not.toMatch(/s3cret|whsec_/);
  expect(() => new IncomingWebhook({ url: 'nonsense' })).toThrow(/^url must/);
  expect(() => hook({ secret: '' })).toThrow('must not be empty');
});
