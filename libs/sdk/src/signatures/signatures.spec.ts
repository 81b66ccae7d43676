import { readFile } from 'node:fs/promises';
import { Webhook } from 'standardwebhooks';
import { explain } from './explain.js';
import { SCHEMES } from './schemes.js';
import type { Scheme } from './schemes.js';
import { sign, signedRequest } from './sign.js';
import { verify } from './verify.js';
import type { VerifyOptions } from './verify.js';

interface Vectors {
  secret: string;
  id: string;
  timestamp: string;
  vectors: { scheme: Scheme; body: string; signature: string }[];
}

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
const { secret, id, timestamp, vectors } = JSON.parse(await read('vectors.json')) as Vectors;
const now = Number(timestamp) * 1000;
const schemes = Object.keys(SCHEMES) as Scheme[];
const OTHER = 'whsec_b3RoZXIgc2VjcmV0LCBhbHNvIG9mIDMyIGJ5dGVzISE=';

test('the vectors are those of docs/signing.md and libs/signing', async () => {
  const document = await read('../../../../docs/signing.md');
  const [, published] = /```json\n([\s\S]*?)```/.exec(document)!;
  expect(JSON.parse(published!)).toEqual(JSON.parse(await read('vectors.json')));
  expect(new Set(vectors.map(({ scheme }) => scheme))).toEqual(new Set(schemes));
});

test.each(vectors)('vector $scheme over $body', async ({ scheme, body, signature }) => {
  const headers = await sign({ scheme, secret, body, timestamp, id });
  expect(headers[SCHEMES[scheme].signatureHeader]).toBe(signature);
  expect(await verify({ scheme, secret, headers, body, now })).toEqual({
    ok: true,
    scheme,
    timestamp: Number(timestamp),
    secret: 0,
  });
});

describe.each(schemes)('%s', (scheme) => {
  const body = '{"text":"Привет"}';
  const { signatureHeader, timestampHeader, prefix } = SCHEMES[scheme];
  let headers: Record<string, string>;
  beforeEach(async () => void (headers = await sign({ scheme, secret, body, timestamp, id })));
  const check = (change: Partial<VerifyOptions> = {}) =>
    verify({ scheme, secret, headers, body, now, ...change });

  test('accepts bytes, a buffer or a text, and headers of the web or of node:http', async () => {
    const bytes = new TextEncoder().encode(body);
    for (const same of [bytes, bytes.buffer, Buffer.from(body)] as const)
      expect(await check({ body: same })).toMatchObject({ ok: true });
    expect(await check({ headers: new Headers(headers) })).toMatchObject({ ok: true });
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(await check({ headers: upper })).toMatchObject({ ok: true });
  });

  test('accepts both secrets of a rotation and returns which one matched', async () => {
    expect(await check({ secret: [OTHER, secret] })).toMatchObject({ ok: true, secret: 1 });
    expect(await check({ secret: [secret, OTHER] })).toMatchObject({ ok: true, secret: 0 });
    expect(await check({ secret: [OTHER] })).toMatchObject({ ok: false, fault: 'wrong_signature' });
  });

  test.each([
    ['no_signature', () => ({ headers: { ...headers, [signatureHeader]: undefined } })],
    ['no_timestamp', () => ({ headers: { ...headers, [timestampHeader]: undefined } })],
    ['malformed_timestamp', () => ({ headers: { ...headers, [timestampHeader]: ` ${timestamp}` } })],
    ['malformed_timestamp', () => ({ headers: { ...headers, [timestampHeader]: '-1' } })],
    ['timestamp_in_milliseconds', () => ({ headers: { ...headers, [timestampHeader]: `${timestamp}000` } })],
    [
      'timestamp_in_milliseconds',
      () => ({ headers: { ...headers, [timestampHeader]: String(now - 123_456) } }),
    ],
    ['too_old', () => ({ now: now + 301_000 })],
    ['in_the_future', () => ({ now: now - 301_000 })],
    ['too_old', () => ({ now: now + 11_000, toleranceSeconds: 10 })],
    ['malformed_signature', () => ({ headers: { ...headers, [signatureHeader]: 'v9=abc' } })],
    ['malformed_signature', () => ({ headers: { ...headers, [signatureHeader]: `${prefix}é` } })],
    [
      'malformed_signature',
      () => ({ headers: { ...headers, [signatureHeader]: `${headers[signatureHeader]}0` } }),
    ],
    ['wrong_signature', () => ({ body: `${body} ` })],
    ['wrong_signature', () => ({ body: '' })],
    ['wrong_signature', () => ({ secret: OTHER })],
    [
      'wrong_signature',
      () => ({ headers: { ...headers, [timestampHeader]: String(Number(timestamp) + 1) } }),
    ],
  ] as [string, () => Partial<VerifyOptions>][])('%s: %s', async (fault, change) => {
    const result = await check(change());
    expect(result).toMatchObject({ ok: false, scheme, fault });
    expect(JSON.stringify(result)).not.toContain('whsec_');
  });

  test('the time window includes its bounds', async () => {
    expect(await check({ now: now + 300_999 })).toMatchObject({ ok: true });
    expect(await check({ now: now - 300_000 })).toMatchObject({ ok: true });
  });

  test.each([
    ['is missing', undefined],
    ['has been parsed', { text: 'Привет' }],
  ])('a body that %s is an error of the caller', async (kind, body) => {
    await expect(check({ body: body as never })).rejects.toThrow(`the raw body ${kind}`);
  });

  test('an empty secret is an error too', async () => {
    await expect(check({ secret: '' })).rejects.toThrow('must not be empty');
    await expect(check({ secret: [] })).rejects.toThrow('must not be empty');
  });
});

interface Refusals {
  body: string;
  now: number;
  refusals: {
    name: string;
    scheme: Scheme;
    secret: string;
    headers: Record<string, string>;
    refused: string;
  }[];
}
const refusals = JSON.parse(await read('refusals.json')) as Refusals;

test.each(refusals.refusals)(
  'refused: $scheme, $name',
  async ({ scheme, secret: by, headers: given, refused }) => {
    const result = verify({
      scheme,
      secret: by,
      headers: given,
      body: refusals.body,
      now: refusals.now * 1000,
    });
    if (refused === 'secret') await expect(result).rejects.toThrow(/^a signing secret /);
    else expect(await result).toMatchObject({ ok: false, fault: refused });
  },
);

test('detects the scheme from the headers, except those of requests to Tieline', async () => {
  const body = '{}';
  for (const scheme of schemes) {
    const headers = await sign({ scheme, secret, body });
    const result = await verify({ secret, headers, body });
    expect(result.ok).toBe(!scheme.startsWith('incoming'));
  }
  const both = {
    ...(await sign({ scheme: 'outgoing', secret, body, timestamp })),
    ...(await sign({ scheme: 'standard_webhooks', secret, body })),
  };
  expect(await verify({ secret, headers: both, body })).toMatchObject({
    ok: true,
    scheme: 'standard_webhooks',
  });
});

test('one of two overlapping signatures is enough', async () => {
  const [body, scheme] = ['{}', 'outgoing'] as const;
  const mine = await sign({ scheme, secret, body, timestamp });
  const theirs = await sign({ scheme, secret: OTHER, body, timestamp });
  const headers = { ...theirs, 'x-service-signature-previous': mine['x-service-signature'] };
  expect(await verify({ secret, headers, body, now })).toMatchObject({ ok: true });
  const standard = { scheme: 'standard_webhooks', body, timestamp, id } as const;
  const [first, second] = [await sign({ ...standard, secret: OTHER }), await sign({ ...standard, secret })];
  const list = {
    ...first,
    'webhook-signature': `${first['webhook-signature']} v2,new ${second['webhook-signature']}`,
  };
  expect(await verify({ secret, headers: list, body, now })).toMatchObject({
    ok: true,
    scheme: 'standard_webhooks',
  });
});

test('Standard Webhooks signs the id', async () => {
  const headers = await sign({ scheme: 'standard_webhooks', secret, body: '{}', id });
  expect(await verify({ secret, headers: { ...headers, 'webhook-id': 'x' }, body: '{}' })).toMatchObject({
    fault: 'wrong_signature',
  });
  expect(
    await verify({ secret, headers: { ...headers, 'webhook-id': undefined }, body: '{}' }),
  ).toMatchObject({ fault: 'no_id' });
  await expect(verify({ secret: 'plain', headers, body: '{}' })).rejects.toThrow('whsec_ followed by base64');
  expect(new Webhook(secret).verify('{}', headers)).toEqual({});
});

test('a test request has the headers of Tieline', async () => {
  const request = await signedRequest({
    scheme: 'outgoing',
    secret,
    body: { a: 1 },
    event: 'button.click',
    headers: { 'x-more': '1' },
  });
  expect(request).toMatchObject({
    method: 'POST',
    body: '{"a":1}',
    headers: {
      'content-type': 'application/json',
      'x-service-event': 'button.click',
      'x-service-webhook-version': '1',
      'x-more': '1',
    },
  });
  expect(await verify({ secret, ...request })).toMatchObject({ ok: true });
  expect(await new Request('http://x', request).json()).toEqual({ a: 1 });
});

describe('explain', () => {
  const body = '{"a": 1}\n';
  const explained = async (change: Partial<VerifyOptions>, scheme: Scheme = 'outgoing') => {
    const headers = await sign({ scheme, secret, body });
    return (await explain({ secret, headers, body, ...change })) as { ok: boolean; hint?: string };
  };

  test.each([
    ['it is signed with the scheme incoming_native', {}, 'incoming_native'],
    ['the secret is surrounded by white space', { secret: ` ${secret}\n` }, 'outgoing'],
    ['the secret lacks its prefix whsec_', { secret: secret.slice(6) }, 'outgoing'],
    ['the body lost its trailing line break', { body: body.trim() }, 'outgoing'],
    ['the body has an additional trailing line break', { body: `${body}\n` }, 'outgoing'],
    ['it is valid except for its age', { now: Date.now() + 3_600_000 }, 'outgoing'],
  ] as [string, Partial<VerifyOptions>, Scheme][])('%s', async (hint, change, scheme) => {
    expect(await explained(change, scheme)).toMatchObject({ ok: false, hint });
  });

  test('a body that was serialized again', async () => {
    const headers = await sign({ scheme: 'outgoing', secret, body: '{"a":1}' });
    expect(await explain({ secret, headers, body: '{ "a": 1 }' })).toMatchObject({
      hint: 'the body was parsed and serialized again',
    });
  });

  test('has no hint for a valid signature or an unknown mistake', async () => {
    expect(await explained({})).toMatchObject({ ok: true });
    expect(await explained({ secret: OTHER })).toEqual(
      expect.not.objectContaining({ hint: expect.anything() }),
    );
  });
});
