import http from 'node:http';
import {
  compat,
  native,
  REJECTED,
  startIncomingHarness,
  unixSeconds,
} from '../../testing/incoming-harness.js';
import type { IncomingHarness, TestWebhook } from '../../testing/incoming-harness.js';

const LIMIT = 262_144;

let harness: IncomingHarness;

beforeAll(async () => {
  harness = await startIncomingHarness();
});
afterAll(() => harness?.close());

/** Returns a JSON message of exactly this size. */
function messageWithBytes(bytes: number): string {
  const frame = '{"text":"a","x":""}';
  return frame.replace('"x":""', `"x":"${'x'.repeat(bytes - frame.length)}"`);
}

describe('a message', () => {
  test('is posted into the channel by the webhook before the response', async () => {
    const webhook = await harness.webhook({ avatar_url: 'https://example.com/a.png' });
    const { status, body } = await harness.post(webhook, { text: '*disk* full', severity: 'error' });
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, message_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await harness.history(webhook)).toEqual([
      expect.objectContaining({
        id: body.message_id,
        author_id: webhook.id,
        author_type: 'webhook',
        is_system: false,
        text: '**disk** full',
        display_name: 'Alerts',
        display_avatar_url: 'https://example.com/a.png',
        metadata_json: JSON.stringify({ severity: 'critical' }),
      }),
    ]);
  });

  test('shows the name and picture given by the sender', async () => {
    const webhook = await harness.webhook({ avatar_url: 'https://example.com/a.png' });
    await harness.post(webhook, { text: 'a', username: 'deploy', icon_url: 'https://example.com/b.png' });
    expect(await harness.history(webhook)).toMatchObject([
      { display_name: 'deploy', display_avatar_url: 'https://example.com/b.png' },
    ]);
  });

  test('creates a MESSAGE_CREATED event with the notification settings outside of its data', async () => {
    const webhook = await harness.webhook({ default_push: false });
    const { body } = await harness.post(webhook, {
      text: '@here now',
      silent: false,
      severity: 'fatal',
      mentions: [webhook.id.toUpperCase()],
    });
    const events = (await harness.chat.events()).map(({ payload }) => payload as Record<string, unknown>);
    const event = events.find(({ data }) => (data as { message_id?: string }).message_id === body.message_id);
    expect(event).toMatchObject({
      event_type: 'MESSAGE_CREATED',
      actor_id: webhook.id,
      actor_type: 'webhook',
      data: { author_id: webhook.id, text: '@here now' },
      notify: {
        severity: 'critical',
        default_push: false,
        silent: false,
        mentions: [webhook.id],
        channel: false,
        here: true,
      },
    });
    expect(JSON.stringify(event?.['data'])).not.toContain('notify');
  });

  test('reaches a channel of which the admin is not a member', async () => {
    const conversation_id = await harness.channel('private');
    const webhook = await harness.webhook({ conversation_id });
    expect((await harness.post(webhook, { text: 'a' })).status).toBe(200);
    expect(await harness.history(webhook)).toHaveLength(1);
  });

  test.each([
    ['application/json; charset=utf-8', '{"text":"a"}'],
    ['APPLICATION/JSON', '{"message":{"content":"a"}}'],
    ['application/x-www-form-urlencoded', `payload=${encodeURIComponent('{"text":"a"}')}`],
    ['application/x-www-form-urlencoded; charset=utf-8', 'x=1&payload=%20%7B%22text%22%3A+%22a%22%7D'],
    ['application/x-www-form-urlencoded', ' {"text":"a"}'],
    [undefined, '{"text":"a"}'],
  ])('content type %s', async (type, body) => {
    const webhook = await harness.webhook();
    expect(
      (await harness.post(webhook, body, type === undefined ? {} : { 'content-type': type })).status,
    ).toBe(200);
    expect(await harness.history(webhook)).toMatchObject([{ text: 'a' }]);
  });

  test.each([['/hooks/TOKEN'], ['/hooks/5f3c9b/TOKEN'], ['/services/T1/B2/TOKEN']])(
    'sent to the alias %s answers plain text ok',
    async (path) => {
      const webhook = await harness.webhook();
      const answer = await harness.send(path.replace('TOKEN', webhook.token), { text: 'a' });
      expect(answer).toMatchObject({ status: 200, text: 'ok' });
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await harness.history(webhook)).toHaveLength(1);
      expect(await harness.send(path.replace('TOKEN', 'unknown'), { text: 'a' })).toMatchObject({
        status: 401,
        body: REJECTED,
      });
    },
  );
});

describe('signatures', () => {
  const body = '{"text":"signed é"}';
  let webhook: TestWebhook;
  beforeEach(async () => {
    webhook = await harness.webhook({ require_signature: true });
  });
  const at = (offset: number) => native(webhook.secret, body, unixSeconds(offset));

  test.each<[string, () => Record<string, string>]>([
    ['native', () => native(webhook.secret, body)],
    ['compat', () => compat(webhook.secret, body)],
    ['the compat synonyms', () => compat(webhook.secret, body, undefined, 'slack')],
    [
      'header synonyms with the same value',
      () => ({ ...compat(webhook.secret, body), ...compat(webhook.secret, body, undefined, 'slack') }),
    ],
    [
      'a digest in upper case',
      () => ({
        ...native(webhook.secret, body),
        'x-service-signature':
          native(webhook.secret, body)['x-service-signature']?.replace(/[a-f0-9]{64}/, (hex) =>
            hex.toUpperCase(),
          ) ?? '',
      }),
    ],
    ['295 seconds ago', () => at(-295)],
    ['295 seconds ahead', () => at(295)],
  ])('accepted: %s', async (_, headers) => {
    expect(await harness.post(webhook, body, headers())).toMatchObject({ status: 200 });
  });

  test.each<[string, string, () => Record<string, string>]>([
    ['none', 'signature headers missing', () => ({ 'content-type': 'application/json' })],
    [
      'both schemes',
      'headers of more than one signature scheme',
      () => ({ ...native(webhook.secret, body), ...compat(webhook.secret, body) }),
    ],
    [
      'one header of each scheme',
      'signature headers missing',
      () => ({
        'x-service-signature': native(webhook.secret, body)['x-service-signature'] ?? '',
        'x-compat-request-timestamp': unixSeconds(),
      }),
    ],
    ['another secret', 'signature does not match', () => native('whsec_other', body)],
    ['another body', 'signature does not match', () => native(webhook.secret, '{"text":"signed e"}')],
    [
      'the compat digest in the native header',
      'signature does not match',
      () => ({
        'x-service-timestamp': unixSeconds(),
        'x-service-signature': (compat(webhook.secret, body)['x-compat-signature'] ?? '').replace(
          'v0=',
          'sha256=',
        ),
      }),
    ],
    [
      'header synonyms with different values',
      'signature does not match',
      () => ({ ...compat(webhook.secret, body), ...compat('whsec_other', body, undefined, 'slack') }),
    ],
    ['305 seconds ago', 'timestamp outside 5 minutes or not in Unix seconds', () => at(-305)],
    ['305 seconds ahead', 'timestamp outside 5 minutes or not in Unix seconds', () => at(305)],
    [
      'milliseconds',
      'timestamp outside 5 minutes or not in Unix seconds',
      () => native(webhook.secret, body, String(Date.now())),
    ],
    [
      'not a number',
      'timestamp outside 5 minutes or not in Unix seconds',
      () => native(webhook.secret, body, `${unixSeconds()}.0`),
    ],
  ])('refused: %s', async (_, reason, headers) => {
    const before = (await harness.history(webhook)).length;
    expect(await harness.post(webhook, body, headers())).toMatchObject({ status: 401, body: REJECTED });
    expect((await harness.requests(webhook))[0]).toMatchObject({
      status: 401,
      verdict: 'rejected',
      reason,
      body,
    });
    expect(await harness.history(webhook)).toHaveLength(before);
  });

  test('cover the raw bytes', async () => {
    const spaced = '{ "text" : "a\\u00e9" }';
    expect((await harness.post(webhook, spaced, native(webhook.secret, spaced))).status).toBe(200);
    expect(
      (await harness.post(webhook, spaced, native(webhook.secret, JSON.stringify(JSON.parse(spaced)))))
        .status,
    ).toBe(401);
  });

  test('are ignored if not required', async () => {
    const unsigned = await harness.webhook();
    expect((await harness.post(unsigned, body, native('whsec_wrong', body))).status).toBe(200);
  });

  test('of a form cover its raw bytes', async () => {
    const form = `payload=${encodeURIComponent(body)}`;
    expect(
      (
        await harness.post(webhook, form, {
          ...compat(webhook.secret, form),
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(200);
  });
});

describe('size', () => {
  test('262144 bytes are accepted, one more answers 413, with or without Content-Length', async () => {
    const webhook = await harness.webhook();
    expect((await harness.post(webhook, messageWithBytes(LIMIT))).status).toBe(200);
    expect(await harness.post(webhook, messageWithBytes(LIMIT + 1))).toMatchObject({
      status: 413,
      body: REJECTED,
    });
    expect(await chunked(webhook, messageWithBytes(LIMIT))).toEqual({
      status: 200,
      text: expect.stringContaining('"ok":true'),
    });
    expect(await chunked(webhook, messageWithBytes(LIMIT + 1))).toEqual({
      status: 413,
      text: JSON.stringify(REJECTED),
    });
  });

  test('a too large Content-Length is rejected before any byte arrives', async () => {
    const webhook = await harness.webhook();
    const headers = { 'content-type': 'application/json', 'content-length': String(LIMIT + 1) };
    const request = http.request(`${harness.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
      method: 'POST',
      headers,
    });
    request.flushHeaders();
    expect(await answerOf(request)).toEqual({ status: 413, text: JSON.stringify(REJECTED) });
    request.destroy();
  });

  test('an endless body is rejected while it streams', async () => {
    const webhook = await harness.webhook();
    expect((await endless(webhook)).status).toBe(413);
    expect((await harness.requests(webhook))[0]).toMatchObject({
      status: 413,
      reason: 'body over 262144 bytes',
      body: 'a'.repeat(16_384),
    });
  });
});

describe('order of checks', () => {
  const huge = messageWithBytes(LIMIT + 1);
  const wrong = { 'content-type': 'text/plain', 'x-service-signature': 'nonsense' };

  test('the method is checked first', async () => {
    const answers = await Promise.all(
      ['GET', 'PUT', 'DELETE'].map((method) =>
        harness.send('/api/v1/webhooks/incoming/unknown', '', {}, method),
      ),
    );
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 405, body: REJECTED });
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  test.each([
    '/api/v1/webhooks/incoming/unknown',
    '/hooks/unknown',
    '/hooks/a/unknown',
    '/services/a/b/unknown',
  ])('%s: 405 takes precedence over errors of the body', async (path) => {
    for (const body of ['{', 'x'.repeat(2_000_000)]) {
      const answer = await harness.send(path, body, { 'content-type': 'text/xml' }, 'PUT');
      expect(answer).toMatchObject({ status: 405, body: REJECTED });
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });

  test.each([
    '/api/v1/webhooks/incoming',
    '/api/v1/webhooks/incoming/',
    '/hooks',
    '/hooks/',
    '/services/',
    '/services/a/b/',
  ])('401 without a token: %s', async (path) => {
    expect(await harness.send(path, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  });

  test('then token, disabled, size, signature and content type', async () => {
    const webhook = await harness.webhook({ require_signature: true, is_active: false });
    expect(await harness.send('/api/v1/webhooks/incoming/unknown', huge, wrong)).toMatchObject({
      status: 401,
      body: REJECTED,
    });
    expect(await harness.post(webhook, huge, wrong)).toMatchObject({ status: 410, body: REJECTED });
    await harness.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true });
    expect(await harness.post(webhook, huge, wrong)).toMatchObject({ status: 413, body: REJECTED });
    expect(await harness.post(webhook, '{}', wrong)).toMatchObject({ status: 401, body: REJECTED });
    expect(
      await harness.post(webhook, '{}', {
        ...native(webhook.secret, '{}'),
        'content-type': 'application/xml',
      }),
    ).toMatchObject({ status: 400, body: REJECTED });
    expect((await harness.requests(webhook)).map(({ status }) => status)).toEqual([400, 401, 413, 410]);
  });

  test.each([
    ['of one letter', 'x'],
    ['of the right length', 'a'.repeat(43)],
    ['of 3000 letters', 'A'.repeat(3000)],
    ['with a slash', 'a/b'],
    ['with NUL', '%00'],
    ['with an escaped slash', 'a%2Fb'],
    ['outside ASCII', '🙂'],
    ['that cannot be decoded', '%zz'],
    ['of bytes that are no text', '%ff'],
  ])('a token %s gets 401', async (_, token) => {
    expect(await harness.send(`/api/v1/webhooks/incoming/${token}`, { text: 'a' })).toMatchObject({
      status: 401,
      body: REJECTED,
    });
  });

  test.each([
    ['no JSON', '{"text":'],
    ['an empty body', ''],
    ['a list', '[]'],
    ['neither format', '{"foo":1}'],
    ['nothing to show', '{"text":" "}'],
    ['a wrong type', '{"text":{}}'],
    ['NUL', '{"text":"a\\u0000"}'],
    ['a form without payload', 'a=b', 'application/x-www-form-urlencoded'],
    ['a form with a bad payload', 'payload=x', 'application/x-www-form-urlencoded'],
    ['another content type', '<text>a</text>', 'application/xml'],
    ['a malformed type', 'a', 'nonsense'],
    ['a broken multipart form', 'a', 'multipart/form-data; boundary=x'],
    ['a list of two', '[{"text":"a"},{"text":"b"}]'],
  ])('400: %s', async (_, body, type = 'application/json') => {
    const webhook = await harness.webhook();
    expect(await harness.post(webhook, body, { 'content-type': type })).toMatchObject({
      status: 400,
      body: REJECTED,
    });
    expect((await harness.requests(webhook))[0]).toMatchObject({
      status: 400,
      reason: expect.stringMatching(/./),
    });
    expect(await harness.history(webhook)).toEqual([]);
  });

  test('an archived channel answers 400', async () => {
    const webhook = await harness.webhook();
    await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [
      webhook.conversationId,
    ]);
    expect(await harness.post(webhook, { text: 'a' })).toMatchObject({ status: 400, body: REJECTED });
    expect((await harness.requests(webhook))[0]).toMatchObject({ reason: 'the channel is archived' });
  });

  test('an inactive space answers 401, like an unknown token', async () => {
    const other = await harness.otherSpace();
    const [unsigned, signed] = [await other.webhook(), await other.webhook({ require_signature: true })];
    await harness.api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [other.space.spaceId]);
    expect(await harness.post(unsigned, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
    expect(await harness.post(signed, '{"text":"a"}', native(signed.secret, '{"text":"a"}'))).toMatchObject({
      status: 401,
      body: REJECTED,
    });
  });

  test('rejections with one status differ only in request id and time', async () => {
    const webhook = await harness.webhook({ require_signature: true });
    const body = '{"text":"a"}';
    const answers = await Promise.all([
      harness.send('/api/v1/webhooks/incoming/unknown', body),
      harness.post(webhook, body),
      harness.post(webhook, body, native('whsec_x', body)),
      harness.post(webhook, body, native(webhook.secret, body, '1')),
    ]);
    const shapes = answers.map(({ status, text, headers }) =>
      JSON.stringify([
        status,
        text,
        [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)),
      ]),
    );
    expect(answers[0]?.status).toBe(401);
    expect(new Set(shapes).size).toBe(1);
  });
});

/** Sends a body without Content-Length. */
async function chunked(
  webhook: TestWebhook,
  body: string,
): Promise<{ status: number | undefined; text: string }> {
  const request = http.request(`${harness.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  for (let at = 0; at < body.length; at += 50_000) request.write(body.slice(at, at + 50_000));
  request.end();
  return answerOf(request);
}

/** Writes without end until the response arrives. */
async function endless(webhook: TestWebhook): Promise<{ status: number | undefined; text: string }> {
  const request = http.request(`${harness.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
    method: 'POST',
  });
  request.write('a'.repeat(LIMIT + 1));
  const answer = await answerOf(request);
  request.destroy();
  return answer;
}

function answerOf(request: http.ClientRequest): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
  });
}

test('the token lookup works while requests hold every connection', async () => {
  const webhook = { ...(await harness.webhook()), token: 'unknown' };
  expect((await harness.api.whileBusy(() => harness.post(webhook, { text: 'a' }))).status).toBe(401);
});
