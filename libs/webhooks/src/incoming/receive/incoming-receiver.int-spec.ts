import http from 'node:http';
import { compat, native, REJECTED, startIncomingRig, unixSeconds } from '../../testing/incoming-rig.js';
import type { IncomingRig, MadeWebhook } from '../../testing/incoming-rig.js';

const LIMIT = 262_144;

let rig: IncomingRig;

beforeAll(async () => {
  rig = await startIncomingRig();
});
afterAll(() => rig?.close());

/** A JSON message of exactly so many bytes. */
function messageOf(bytes: number): string {
  const frame = '{"text":"a","x":""}';
  return frame.replace('"x":""', `"x":"${'x'.repeat(bytes - frame.length)}"`);
}

describe('a message', () => {
  test('is posted into the channel by the webhook, before the answer', async () => {
    const webhook = await rig.webhook({ avatar_url: 'https://example.com/a.png' });
    const { status, body } = await rig.post(webhook, { text: '*disk* full', severity: 'error' });
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, message_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(await rig.history(webhook)).toEqual([
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

  test('shows the name and picture that the sender gives', async () => {
    const webhook = await rig.webhook({ avatar_url: 'https://example.com/a.png' });
    await rig.post(webhook, { text: 'a', username: 'deploy', icon_url: 'https://example.com/b.png' });
    expect(await rig.history(webhook)).toMatchObject([
      { display_name: 'deploy', display_avatar_url: 'https://example.com/b.png' },
    ]);
  });

  test('makes a MESSAGE_CREATED event of the webhook, with what the push policy needs and no more of it in the data', async () => {
    const webhook = await rig.webhook({ default_push: false });
    const { body } = await rig.post(webhook, {
      text: '@here now',
      silent: false,
      severity: 'fatal',
      mentions: [webhook.id.toUpperCase()],
    });
    const events = (await rig.chat.events()).map(({ payload }) => payload as Record<string, unknown>);
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

  test('reaches a channel that the admin is no member of', async () => {
    const conversation_id = await rig.channel('private');
    const webhook = await rig.webhook({ conversation_id });
    expect((await rig.post(webhook, { text: 'a' })).status).toBe(200);
    expect(await rig.history(webhook)).toHaveLength(1);
  });

  test.each([
    ['application/json; charset=utf-8', '{"text":"a"}'],
    ['APPLICATION/JSON', '{"message":{"content":"a"}}'],
    ['application/x-www-form-urlencoded', `payload=${encodeURIComponent('{"text":"a"}')}`],
    ['application/x-www-form-urlencoded; charset=utf-8', 'x=1&payload=%20%7B%22text%22%3A+%22a%22%7D'],
    ['application/x-www-form-urlencoded', ' {"text":"a"}'],
    [undefined, '{"text":"a"}'],
  ])('content type %s', async (type, body) => {
    const webhook = await rig.webhook();
    expect((await rig.post(webhook, body, type === undefined ? {} : { 'content-type': type })).status).toBe(
      200,
    );
    expect(await rig.history(webhook)).toMatchObject([{ text: 'a' }]);
  });

  test.each([['/hooks/TOKEN'], ['/hooks/5f3c9b/TOKEN'], ['/services/T1/B2/TOKEN']])(
    'by the alias %s answers plain text ok',
    async (path) => {
      const webhook = await rig.webhook();
      const answer = await rig.send(path.replace('TOKEN', webhook.token), { text: 'a' });
      expect(answer).toMatchObject({ status: 200, text: 'ok' });
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
      expect(await rig.history(webhook)).toHaveLength(1);
      expect(await rig.send(path.replace('TOKEN', 'unknown'), { text: 'a' })).toMatchObject({
        status: 401,
        body: REJECTED,
      });
    },
  );
});

describe('signatures', () => {
  const body = '{"text":"signed é"}';
  let webhook: MadeWebhook;
  beforeEach(async () => {
    webhook = await rig.webhook({ require_signature: true });
  });
  const at = (offset: number) => native(webhook.secret, body, unixSeconds(offset));

  test.each<[string, () => Record<string, string>]>([
    ['native', () => native(webhook.secret, body)],
    ['compat', () => compat(webhook.secret, body)],
    ['the compat synonyms', () => compat(webhook.secret, body, undefined, 'slack')],
    [
      'synonyms that say the same',
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
    expect(await rig.post(webhook, body, headers())).toMatchObject({ status: 200 });
  });

  test.each<[string, string, () => Record<string, string>]>([
    ['none', 'signature headers missing', () => ({ 'content-type': 'application/json' })],
    [
      'both schemes',
      'headers of more than one signature scheme',
      () => ({ ...native(webhook.secret, body), ...compat(webhook.secret, body) }),
    ],
    [
      'half of each',
      'signature headers missing',
      () => ({
        'x-service-signature': native(webhook.secret, body)['x-service-signature'] ?? '',
        'x-compat-request-timestamp': unixSeconds(),
      }),
    ],
    ['another secret', 'signature does not match', () => native('whsec_other', body)],
    ['another body', 'signature does not match', () => native(webhook.secret, '{"text":"signed e"}')],
    [
      'the compat string under the native header',
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
      'synonyms that differ',
      'signature does not match',
      () => ({ ...compat(webhook.secret, body), ...compat('whsec_other', body, undefined, 'slack') }),
    ],
    ['305 seconds ago', 'timestamp outside 5 minutes, or no Unix seconds', () => at(-305)],
    ['305 seconds ahead', 'timestamp outside 5 minutes, or no Unix seconds', () => at(305)],
    [
      'milliseconds',
      'timestamp outside 5 minutes, or no Unix seconds',
      () => native(webhook.secret, body, String(Date.now())),
    ],
    [
      'no number',
      'timestamp outside 5 minutes, or no Unix seconds',
      () => native(webhook.secret, body, `${unixSeconds()}.0`),
    ],
  ])('refused: %s', async (_, reason, headers) => {
    const before = (await rig.history(webhook)).length;
    expect(await rig.post(webhook, body, headers())).toMatchObject({ status: 401, body: REJECTED });
    expect((await rig.requests(webhook))[0]).toMatchObject({
      status: 401,
      verdict: 'rejected',
      reason,
      body,
    });
    expect(await rig.history(webhook)).toHaveLength(before);
  });

  test('the raw bytes are signed, not what they mean', async () => {
    const spaced = '{ "text" : "a\\u00e9" }';
    expect((await rig.post(webhook, spaced, native(webhook.secret, spaced))).status).toBe(200);
    expect(
      (await rig.post(webhook, spaced, native(webhook.secret, JSON.stringify(JSON.parse(spaced))))).status,
    ).toBe(401);
  });

  test('are ignored where they are not required', async () => {
    const unsigned = await rig.webhook();
    expect((await rig.post(unsigned, body, native('whsec_wrong', body))).status).toBe(200);
  });

  test('of a form cover its raw bytes', async () => {
    const form = `payload=${encodeURIComponent(body)}`;
    expect(
      (
        await rig.post(webhook, form, {
          ...compat(webhook.secret, form),
          'content-type': 'application/x-www-form-urlencoded',
        })
      ).status,
    ).toBe(200);
  });
});

describe('size', () => {
  test('262144 bytes are accepted, one more is 413, announced or in chunks', async () => {
    const webhook = await rig.webhook();
    expect((await rig.post(webhook, messageOf(LIMIT))).status).toBe(200);
    expect(await rig.post(webhook, messageOf(LIMIT + 1))).toMatchObject({ status: 413, body: REJECTED });
    expect(await chunked(webhook, messageOf(LIMIT))).toEqual({
      status: 200,
      text: expect.stringContaining('"ok":true'),
    });
    expect(await chunked(webhook, messageOf(LIMIT + 1))).toEqual({
      status: 413,
      text: JSON.stringify(REJECTED),
    });
  });

  test('is refused as soon as it is announced, before a byte of it is there', async () => {
    const webhook = await rig.webhook();
    const headers = { 'content-type': 'application/json', 'content-length': String(LIMIT + 1) };
    const request = http.request(`${rig.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
      method: 'POST',
      headers,
    });
    request.flushHeaders();
    expect(await answerOf(request)).toEqual({ status: 413, text: JSON.stringify(REJECTED) });
    request.destroy();
  });

  test('is refused while it streams: an endless body gets its answer', async () => {
    const webhook = await rig.webhook();
    expect((await endless(webhook)).status).toBe(413);
    expect((await rig.requests(webhook))[0]).toMatchObject({
      status: 413,
      reason: 'body over 262144 bytes',
      body: 'a'.repeat(16_384),
    });
  });
});

describe('order of checks', () => {
  const huge = messageOf(LIMIT + 1);
  const wrong = { 'content-type': 'text/plain', 'x-service-signature': 'nonsense' };

  test('405 comes first', async () => {
    const answers = await Promise.all(
      ['GET', 'PUT', 'DELETE'].map((method) => rig.send('/api/v1/webhooks/incoming/unknown', '', {}, method)),
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
  ])('405 comes first at %s, whatever the body is', async (path) => {
    for (const body of ['{', 'x'.repeat(2_000_000)]) {
      const answer = await rig.send(path, body, { 'content-type': 'text/xml' }, 'PUT');
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
  ])('no token at all is 401: %s', async (path) => {
    expect(await rig.send(path, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
  });

  test('then the token, then off, then size, then signature, then content type', async () => {
    const webhook = await rig.webhook({ require_signature: true, is_active: false });
    expect(await rig.send('/api/v1/webhooks/incoming/unknown', huge, wrong)).toMatchObject({
      status: 401,
      body: REJECTED,
    });
    expect(await rig.post(webhook, huge, wrong)).toMatchObject({ status: 410, body: REJECTED });
    await rig.call('PATCH', `/incoming_webhooks/${webhook.id}`, { is_active: true });
    expect(await rig.post(webhook, huge, wrong)).toMatchObject({ status: 413, body: REJECTED });
    expect(await rig.post(webhook, '{}', wrong)).toMatchObject({ status: 401, body: REJECTED });
    expect(
      await rig.post(webhook, '{}', { ...native(webhook.secret, '{}'), 'content-type': 'application/xml' }),
    ).toMatchObject({ status: 400, body: REJECTED });
    expect((await rig.requests(webhook)).map(({ status }) => status)).toEqual([400, 401, 413, 410]);
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
  ])('a token %s is 401', async (_, token) => {
    expect(await rig.send(`/api/v1/webhooks/incoming/${token}`, { text: 'a' })).toMatchObject({
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
    const webhook = await rig.webhook();
    expect(await rig.post(webhook, body, { 'content-type': type })).toMatchObject({
      status: 400,
      body: REJECTED,
    });
    expect((await rig.requests(webhook))[0]).toMatchObject({
      status: 400,
      reason: expect.stringMatching(/./),
    });
    expect(await rig.history(webhook)).toEqual([]);
  });

  test('an archived channel is 400', async () => {
    const webhook = await rig.webhook();
    await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [
      webhook.conversationId,
    ]);
    expect(await rig.post(webhook, { text: 'a' })).toMatchObject({ status: 400, body: REJECTED });
    expect((await rig.requests(webhook))[0]).toMatchObject({ reason: 'the channel is archived' });
  });

  test('an inactive space is 401, like an unknown token', async () => {
    const other = await rig.otherSpace();
    const [unsigned, signed] = [await other.webhook(), await other.webhook({ require_signature: true })];
    await rig.api.db.query('UPDATE spaces SET is_active = false WHERE id = $1', [other.space.spaceId]);
    expect(await rig.post(unsigned, { text: 'a' })).toMatchObject({ status: 401, body: REJECTED });
    expect(await rig.post(signed, '{"text":"a"}', native(signed.secret, '{"text":"a"}'))).toMatchObject({
      status: 401,
      body: REJECTED,
    });
  });

  test('refusals of one status differ in nothing but the request id and the time', async () => {
    const webhook = await rig.webhook({ require_signature: true });
    const body = '{"text":"a"}';
    const answers = await Promise.all([
      rig.send('/api/v1/webhooks/incoming/unknown', body),
      rig.post(webhook, body),
      rig.post(webhook, body, native('whsec_x', body)),
      rig.post(webhook, body, native(webhook.secret, body, '1')),
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

/** Sends a body without announcing its length. */
async function chunked(
  webhook: MadeWebhook,
  body: string,
): Promise<{ status: number | undefined; text: string }> {
  const request = http.request(`${rig.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  for (let at = 0; at < body.length; at += 50_000) request.write(body.slice(at, at + 50_000));
  request.end();
  return answerOf(request);
}

/** Writes on and on until the answer comes. */
async function endless(webhook: MadeWebhook): Promise<{ status: number | undefined; text: string }> {
  const request = http.request(`${rig.api.url}/api/v1/webhooks/incoming/${webhook.token}`, {
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

test('which webhook is meant is found out while requests hold every connection', async () => {
  const webhook = { ...(await rig.webhook()), token: 'unknown' };
  expect((await rig.api.whileBusy(() => rig.post(webhook, { text: 'a' }))).status).toBe(401);
});
