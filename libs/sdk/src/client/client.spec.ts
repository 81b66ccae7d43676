import { inspect } from 'node:util';
import { eventually, startReceiver } from '@tieline/testing';
import type { Receiver, ReceiverAnswer } from '@tieline/testing';
import { Client } from './client.js';
import { TielineError } from './tieline-error.js';

let server: Receiver;
let client: Client;

beforeEach(async () => {
  server = await startReceiver({ body: { ok: true } });
  client = new Client({ url: `${server.url}/`, token: 'tlb_secret' });
});

afterEach(() => server.close());

/** Gives the nth request the nth response, later ones the last. */
function script(...answers: ReceiverAnswer[]): void {
  let next = 0;
  server.respond(() => answers[Math.min(next++, answers.length - 1)]!);
}

const NOW = { 'retry-after': '0' };
const BUSY = { status: 503, headers: NOW, body: { ok: false, error: 'busy', code: 'unavailable' } };
const LIMITED = { status: 429, headers: NOW, body: { ok: false, error: 'slow down', code: 'rate_limited' } };
const SENT = { body: { ok: true, message_id: 'm1' } };
const keys = () => server.requests.map((request) => request.headers['idempotency-key']);
const failure = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a call uses the path below the url, with token, query and JSON', async () => {
  script(SENT);
  const body = { conversation_id: 'c1', content: 'Hi' };
  const query = { a: 1, b: undefined, c: ['x', 'y z'] };
  expect(await client.call('POST', '/api/v1/bot/messages', { body, query })).toEqual(SENT.body);
  const [request] = server.requests;
  expect(request).toMatchObject({ method: 'POST', url: '/api/v1/bot/messages?a=1&c=x&c=y+z' });
  expect(JSON.parse(request!.body.toString())).toEqual(body);
  expect(request!.headers).toMatchObject({
    authorization: 'Bearer tlb_secret',
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^tieline-sdk\//),
  });
});

test('an empty response is undefined', async () => {
  script(200);
  expect(await client.call('DELETE', '/api/v1/bot/messages/m1')).toBeUndefined();
});

describe('errors', () => {
  test('contain advice for known codes', async () => {
    script({
      status: 403,
      body: { ok: false, error: 'bot not in conversation', code: 'bot_not_in_conversation' },
    });
    const { message } = (await failure(client.call('POST', '/api/v1/bot/messages', { body: {} }))) as Error;
    expect(message).toMatch(/403 bot not in conversation \(bot_not_in_conversation\); .*client\.join/);
  });

  test('contain status, code, field, request id, body and the time to wait', async () => {
    const body = {
      ok: false,
      error: 'content too long (max 4000 chars)',
      code: 'invalid_field',
      field: 'content',
    };
    script({ status: 400, headers: { 'x-request-id': 'r-1', 'retry-after': '7' }, body });
    const error = await failure(client.call('POST', '/api/v1/bot/messages', { body: {} }));
    expect(error).toBeInstanceOf(TielineError);
    expect(error).toMatchObject({
      message:
        'POST /…/api/v1/bot/messages: 400 content too long (max 4000 chars) (invalid_field, field content)'.replace(
          '/…',
          new URL(server.url).pathname,
        ),
      status: 400,
      code: 'invalid_field',
      field: 'content',
      requestId: 'r-1',
      retryAfterMs: 7000,
      body,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('a response without a code gets that of its status', async () => {
    script({ status: 404, body: 'gone fishing' });
    expect(await failure(client.call('GET', '/x'))).toMatchObject({ code: 'http_404', body: 'gone fishing' });
  });

  test('an HTML page instead of JSON is an error', async () => {
    script({ body: '<html>' });
    expect(await failure(client.call('GET', '/x'))).toMatchObject({ status: 0, code: 'invalid_answer' });
  });

  test.each([
    '/api/v1/webhooks/incoming/tlw_s3cret',
    '/api/v1/bot/responses/tlr_s3cret',
    '/api/v1/client/modals/tlm_s3cret/submit',
    '/services/T1/B1/s3cret',
  ])('neither the error text of %s nor a logged client contains a secret', async (path) => {
    script(400);
    const error = await failure(client.call('POST', path, { query: { token: 's3cret' } }));
    expect((error as Error).message).not.toContain('s3cret');
    expect(inspect(client, { depth: 9, showHidden: true })).not.toContain('tlb_secret');
    expect(JSON.stringify(client)).not.toContain('tlb_secret');
  });

  test.each(['ftp://x', 'chat.example.com', 'https://user:s3cret@chat.example.com'])(
    'the url %s is refused',
    (url) => {
      expect(() => new Client({ url })).toThrow(/^url must/);
    },
  );
});

describe('retries', () => {
  test.each([
    ['GET', '/api/v1/bot/me', [BUSY, { ...BUSY, status: 502 }, { ...BUSY, status: 504 }, LIMITED, SENT], 5],
    ['PUT', '/api/v1/bot/messages/m/pin', ['reset', BUSY, SENT], 3],
    ['PATCH', '/api/v1/bot/messages/m', [BUSY, SENT], 2],
    ['DELETE', '/api/v1/bot/messages/m', [BUSY, SENT], 2],
    ['POST', '/api/v1/bot/messages', ['reset', BUSY, LIMITED, SENT], 4],
    ['POST', '/api/v1/bot/conversations/c/join', [LIMITED, LIMITED, SENT], 3],
  ] as [string, string, ReceiverAnswer[], number][])('%s %s', async (method, path, answers, tries) => {
    script(...answers);
    expect(await client.call(method, path)).toEqual(SENT.body);
    expect(server.requests).toHaveLength(tries);
    expect(new Set(keys()).size).toBe(1);
  });

  test.each([BUSY, { ...BUSY, status: 502 }, 'reset'] as ReceiverAnswer[])(
    'a write without a key is sent once when its fate is unknown: %j',
    async (answer) => {
      script(answer, SENT);
      expect(await failure(client.call('POST', '/api/v1/bot/dm'))).toBeInstanceOf(TielineError);
      expect(server.requests).toHaveLength(1);
      expect(keys()).toEqual([undefined]);
    },
  );

  test('any write with the caller’s key is retried with it', async () => {
    script(BUSY, SENT);
    await client.call('POST', '/api/v1/bot/dm', { idempotencyKey: 'mine' });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  test('the caller’s key replaces the generated one', async () => {
    script(BUSY, SENT);
    await client.call('POST', '/api/v1/bot/messages', { body: {}, idempotencyKey: 'mine' });
    expect(keys()).toEqual(['mine', 'mine']);
  });

  test('any write that was not sent', async () => {
    let tries = 0;
    const counting: typeof fetch = (...request) => (tries++, fetch(...request));
    client = new Client({ url: server.url, fetch: counting, retries: 2 });
    await server.close();
    expect(await failure(client.call('POST', '/api/v1/bot/dm'))).toMatchObject({ code: 'network_error' });
    expect(tries).toBe(3);
  });

  test('a key in the body replaces the header', async () => {
    script(BUSY, SENT);
    await client.call('POST', '/api/v1/bot/agent_runs', { body: { idempotency_key: 'mine' } });
    expect(keys()).toEqual([undefined, undefined]);
  });

  test('each call has its own key', async () => {
    await client.call('POST', '/api/v1/bot/messages');
    await client.call('POST', '/api/v1/bot/messages');
    expect(new Set(keys()).size).toBe(2);
  });

  test.each([400, 401, 403, 404, 409, 410, 500, 501])('not after %d', async (status) => {
    script(status, SENT);
    expect(await failure(client.call('GET', '/x'))).toMatchObject({ status });
    expect(server.requests).toHaveLength(1);
  });

  test('up to the limit, after which the last response is the error', async () => {
    client = new Client({ url: server.url, retries: 2 });
    script(BUSY);
    expect(await failure(client.call('GET', '/x'))).toMatchObject({ status: 503, code: 'unavailable' });
    expect(server.requests).toHaveLength(3);
  });

  test('not before Retry-After, and not at all if that exceeds a minute', async () => {
    script({ status: 429, headers: { 'retry-after': '0.3' } }, SENT);
    await client.call('GET', '/x');
    const [first, second] = server.requests;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(290);
    script({ status: 429, headers: { 'retry-after': '61' } });
    expect(await failure(client.call('GET', '/x'))).toMatchObject({ status: 429, retryAfterMs: 61_000 });
    expect(server.requests).toHaveLength(3);
  });
});

describe('a wait is ended by', () => {
  test.each([
    ['no answer', 'hang'],
    ['a body that never ends', { drip: { everyMs: 10 } }],
  ] as [string, ReceiverAnswer][])('%s: the time for each try', async (_, answer) => {
    client = new Client({ url: server.url, timeoutMs: 2000, retries: 1 });
    script(answer);
    expect(await failure(client.call('GET', '/x'))).toMatchObject({
      status: 0,
      code: 'timeout',
      message: expect.stringContaining('no response within 2000 ms'),
    });
    expect(server.requests).toHaveLength(2);
  });

  test('the caller during a request', async () => {
    script('hang');
    const stop = new AbortController();
    const call = failure(client.call('GET', '/x', { signal: stop.signal }));
    await server.waitFor(1);
    stop.abort(new Error('enough'));
    expect(await call).toMatchObject({ message: 'enough' });
    expect(server.requests).toHaveLength(1);
  });

  test('the caller during a delay', async () => {
    script({ status: 503, headers: { 'retry-after': '50' } });
    const stop = new AbortController();
    const call = failure(client.call('GET', '/x', { signal: stop.signal }));
    await server.waitFor(1);
    await eventually(() => server.inFlight === 0);
    stop.abort(new Error('enough'));
    expect(await call).toMatchObject({ message: 'enough' });
  });

  test('a signal that was already aborted', async () => {
    expect(
      await failure(client.call('GET', '/x', { signal: AbortSignal.abort(new Error('enough')) })),
    ).toMatchObject({ message: 'enough' });
    expect(server.requests).toHaveLength(0);
  });

  test('an unreachable server', async () => {
    client = new Client({ url: server.url, retries: 0 });
    await server.close();
    expect(await failure(client.call('GET', '/x'))).toMatchObject({
      code: 'network_error',
      message: expect.stringMatching(/no response \(ECONNREFUSED\)/),
    });
  });
});

test('does not follow a redirect, which would reveal the token', async () => {
  const other = await startReceiver();
  try {
    for (const status of [301, 302, 303, 307, 308]) {
      script({ status, headers: { location: `${other.url}/x?secret=s3cret` } });
      const error = await failure(client.call('GET', '/x'));
      expect(error).toMatchObject({ status: 0, code: 'redirect_refused' });
      expect((error as Error).message).toContain(
        `redirected to ${new URL(other.url).origin}. Redirects are not followed`,
      );
    }
    expect(other.requests).toEqual([]);
  } finally {
    await other.close();
  }
});

describe('fetch', () => {
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

  test('retries a Request with its body, token and key, and returns every response', async () => {
    script('reset', BUSY, { status: 404, body: { ok: false } });
    const response = await client.fetch(
      new Request(`${server.url}/api/v1/bot/messages`, { ...json, body: '{"content":"Hi"}' }),
    );
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ ok: false });
    expect(server.requests.map((request) => request.body.toString())).toEqual(
      Array(3).fill('{"content":"Hi"}'),
    );
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(server.requests[2]!.headers.authorization).toBe('Bearer tlb_secret');
  });

  test('adds no header if the body has a key', async () => {
    await client.fetch(`${server.url}/api/v1/bot/agent_runs`, {
      ...json,
      body: '{"idempotency_key":"mine"}',
    });
    expect(keys()).toEqual([undefined]);
  });

  test('sends the token to no other server', async () => {
    const other = await startReceiver();
    await client.fetch(`${other.url}/api/v1/bot/me`);
    await other.close();
    expect(other.requests[0]!.headers.authorization).toBeUndefined();
    // Nor to an address with the same start: another path on the same host may belong to someone
    // else.
    client = new Client({ url: `${server.url}/tieline`, token: 'tlb_secret' });
    await client.fetch(`${server.url}/tieline-of-others/api/v1/bot/me`);
    expect(server.requests[0]!.headers.authorization).toBeUndefined();
  });

  test('a stream outlives the time limit and ends with the caller', async () => {
    client = new Client({ url: server.url, timeoutMs: 3000 });
    script({ drip: { everyMs: 10 } });
    const stop = new AbortController();
    const response = await client.fetch(`${server.url}/x`, { signal: stop.signal });
    const reader = response.body!.getReader();
    const begun = Date.now();
    while (Date.now() - begun < 3500) expect((await reader.read()).done).toBe(false);
    stop.abort(new Error('enough'));
    expect(await failure(reader.closed)).toMatchObject({ message: 'enough' });
  });
});
