import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { startReceiver } from '@tieline/testing';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { Bot } from '../bot.js';
import { keepRawBody } from './adapters.js';
import { sign } from '../../signatures/sign.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const PUSH_SECRET = 'whsec_bm90IHRoZSBzYW1lIGFzIHRoZSBvdGhlciBvbmU=';

let log: string[];
let bot: Bot;
let server: Server | undefined;

beforeEach(() => {
  log = [];
  bot = new Bot({
    token: 'tlb_t',
    url: 'http://127.0.0.1:9', // no server listens here
    secrets: [SECRET, PUSH_SECRET],
    log: (text, error) => log.push(`${text} ${String(error ?? '')}`),
  });
});
afterEach(async () => {
  await new Promise<unknown>((done) => (server ? server.close(done) : done(undefined)));
  server = undefined;
});

const click = (more: object = {}): string =>
  JSON.stringify({
    event_type: 'button.click',
    action_id: 'go',
    conversation_id: 'c',
    data: '{"é":1}',
    ...more,
  });
const command = (trigger: string): string =>
  JSON.stringify({ trigger_id: trigger, command: 'deploy', conversation_id: 'c', text: 'x' });
const pushed = (id: string): string =>
  JSON.stringify({ event_id: id, event_type: 'MESSAGE_CREATED', conversation_id: 'c', data: { text: 'hi' } });

async function request(
  body: string,
  scheme: 'outgoing' | 'bot_push' = 'outgoing',
  secret = SECRET,
): Promise<Request> {
  const headers = await sign({ scheme, secret, body });
  return new Request('http://bot.example.com/anywhere', { method: 'POST', body, headers });
}

describe('signed requests', () => {
  test('are handled with the secret of their purpose', async () => {
    const seen: string[] = [];
    bot.click('go', (ctx) => ctx.ephemeral(`data: ${ctx.data}`));
    bot.command('/deploy', (ctx) => ctx.reply(`you said ${ctx.text}`));
    bot.message((ctx) => seen.push(ctx.text));
    const handle = bot.fetchHandler();
    const clicked = await handle(await request(click()));
    expect([clicked.status, await clicked.json()]).toEqual([200, { ephemeral_text: 'data: {"é":1}' }]);
    expect(await (await handle(await request(command('t')))).json()).toEqual({
      response_type: 'in_channel',
      text: 'you said x',
    });
    expect((await handle(await request(pushed('e'), 'bot_push', PUSH_SECRET))).status).toBe(200);
    expect(seen).toEqual(['hi']);
  });

  test('are rejected with another secret, another body or no signature', async () => {
    const seen: string[] = [];
    bot.click('go', () => seen.push('go'));
    const handle = bot.fetchHandler();
    const { headers } = await request(click());
    const statuses = await Promise.all([
      handle(await request(click(), 'outgoing', 'whsec_other_0123456789')),
      handle(new Request('http://bot.example.com/', { method: 'POST', body: click({ data: 'x' }), headers })),
      handle(new Request('http://bot.example.com/', { method: 'POST', body: click() })),
      handle(new Request('http://bot.example.com/', { headers })),
      handle(await request('[]')),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([401, 401, 401, 405, 400]);
    expect(seen).toEqual([]);
  });

  test('bodies over 1 MiB get 413 on every platform', async () => {
    const body = 'x'.repeat(1_048_577);
    const handle = bot.fetchHandler();
    expect((await handle(new Request('http://bot.example.com/', { method: 'POST', body }))).status).toBe(413);
  });

  test('a handler with its own secrets accepts no others', async () => {
    const handle = bot.fetchHandler({ secrets: PUSH_SECRET });
    expect((await handle(await request(click()))).status).toBe(401);
    const bare = new Bot({ token: 'tlb_t', secrets: ' ' });
    expect(() => bare.fetchHandler()).toThrow('signing secrets');
  });
});

test('secrets by purpose: the secret of clicks signs no command, and that of a command no other', async () => {
  const handle = bot.fetchHandler({
    secrets: {
      push: 'whsec_p_0123456789',
      clicks: ['whsec_c_0123456789', 'whsec_old_0123456789'],
      commands: { deploy: 'whsec_d_0123456789', drop: 'whsec_e_0123456789' },
    },
  });
  const statusOf = async (...given: Parameters<typeof request>): Promise<number> =>
    (await handle(await request(...given))).status;
  const submitted = JSON.stringify({ event_type: 'modal.submit', action_id: 'deploy', trigger_id: 't' });
  expect(await statusOf(click(), 'outgoing', 'whsec_c_0123456789')).toBe(200);
  expect(await statusOf(click({ data: '2' }), 'outgoing', 'whsec_old_0123456789')).toBe(200);
  expect(await statusOf(command('1'), 'outgoing', 'whsec_d_0123456789')).toBe(200);
  expect(await statusOf(submitted, 'outgoing', 'whsec_d_0123456789')).toBe(200);
  expect(await statusOf(pushed('1'), 'bot_push', 'whsec_p_0123456789')).toBe(200);
  const refused = await Promise.all([
    statusOf(command('2'), 'outgoing', 'whsec_c_0123456789'),
    statusOf(command('2'), 'outgoing', 'whsec_e_0123456789'),
    statusOf(click({ data: '3' }), 'outgoing', 'whsec_d_0123456789'),
    statusOf(pushed('2'), 'bot_push', 'whsec_c_0123456789'),
    statusOf(click({ data: '4' }), 'outgoing', 'whsec_p_0123456789'),
    statusOf(click({ action_id: 'deploy', trigger_id: 't' }), 'outgoing', 'whsec_d_0123456789'),
    statusOf(
      JSON.stringify({ ...JSON.parse(submitted), message_id: 'm', trigger_id: 'u' }),
      'outgoing',
      'whsec_d_0123456789',
    ),
  ]);
  expect(refused).toEqual([401, 401, 401, 401, 401, 401, 401]);
});

describe('answers to requests', () => {
  test('a repeated command runs once and gets the same response', async () => {
    let runs = 0;
    bot.command('/deploy', (ctx) => ctx.ephemeral(`run ${(runs += 1)}`));
    const handle = bot.fetchHandler();
    const responses = await Promise.all([
      handle(await request(command('t'))),
      handle(await request(command('t'))),
    ]);
    expect(await Promise.all(responses.map((response) => response.json()))).toEqual([
      { text: 'run 1' },
      { text: 'run 1' },
    ]);
  });

  test('a failing handler is reported to the person, who may try again', async () => {
    bot.click('go', () => {
      throw new Error('broken');
    });
    const handle = bot.fetchHandler();
    expect((await handle(await request(click()))).status).toBe(500);
    bot.onError((_error, ctx) => ctx.ephemeral?.('Sorry'));
    expect(await (await handle(await request(click({ data: 'again' })))).json()).toEqual({
      ephemeral_text: 'Sorry',
    });
  });

  test('activities without a handler and unknown ones are acknowledged', async () => {
    const handle = bot.fetchHandler();
    expect(await (await handle(await request(click()))).json()).toEqual({});
    expect(await (await handle(await request('{"event_type":"new.thing"}'))).json()).toEqual({});
    expect((await handle(await request('{}'))).status).toBe(200);
  });

  test('a push with a failing handler is requested again and accepted once dropped', async () => {
    bot.message(() => {
      throw new Error('broken');
    });
    const handle = bot.fetchHandler();
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1)
      statuses.push((await handle(await request(pushed('e'), 'bot_push', PUSH_SECRET))).status);
    expect(statuses).toEqual([503, 503, 200, 200]);
  });

  test('a slow push opens no breaker: it is requested again with growing delays', async () => {
    let finish: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((done) => (begin = done));
    bot.message(() => {
      begin();
      return new Promise<void>((done) => (finish = done));
    });
    const handle = bot.fetchHandler();
    const push = async (attempt: string): Promise<Response> => {
      const given = await request(pushed('slow'), 'bot_push', PUSH_SECRET);
      given.headers.set('x-service-attempt', attempt);
      return handle(given);
    };
    // Only the timers of the push, because signatures are checked in the meantime.
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
    try {
      const first = push('2');
      await begun;
      await jest.advanceTimersByTimeAsync(4_500);
      const { status, headers } = await first;
      expect([status, headers.get('retry-after')]).toEqual([429, '10']);
    } finally {
      jest.useRealTimers();
    }
    finish();
    expect((await push('3')).status).toBe(200);
  });

  test('a second answer gives Tieline time to process the first', async () => {
    const tieline = await startReceiver({ body: { ok: true } });
    bot = new Bot({ token: 'tlb_t', url: tieline.url, secrets: [SECRET], log: () => undefined });
    bot.click('go', async (ctx) => {
      await ctx.update('Working …');
      await ctx.reply('Done');
    });
    const begun = Date.now();
    const reply = await bot.fetchHandler()(await request(click({ response_token: 'tlr' })));
    expect(await reply.json()).toEqual({ update_message: { text: 'Working …' } });
    const [late] = await tieline.waitFor(1);
    expect(late!.at - begun).toBeGreaterThan(150);
    await tieline.close();
  });

  test('work after the response keeps a serverless platform alive', async () => {
    let end: () => void = () => undefined;
    bot.click('go', async (ctx) => {
      await ctx.later();
      await new Promise<void>((done) => (end = done));
    });
    const kept: Promise<unknown>[] = [];
    await bot.fetchHandler()(await request(click()), { waitUntil: (work) => kept.push(work) });
    expect(await Promise.race([kept[0], Promise.resolve('waits')])).toBe('waits');
    end();
    expect(await kept[0]).toBe('done');
  });

  test('a body over one mebibyte is rejected', async () => {
    server = createServer((given, response) => void bot.nodeHandler()(given, response));
    expect(await post('x'.repeat(1_100_000))).toBe(413);
  });
});

/**
 * Posts a signed request to the test server. @returns the response, or its status if it is not JSON
 */
async function post(body: string): Promise<unknown> {
  if (!server!.listening) await new Promise<void>((ready) => server!.listen(0, '127.0.0.1', ready));
  const { headers } = await request(body);
  const { port } = server!.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/tieline`, { method: 'POST', body, headers });
  return response.status === 200 ? response.json() : response.status;
}

describe('adapters', () => {
  beforeEach(() => bot.click('go', (ctx) => ctx.ephemeral(ctx.data)));
  const ANSWER = { ephemeral_text: '{"é":1}' };

  test('node:http', async () => {
    server = createServer(bot.nodeHandler());
    expect(await post(click())).toEqual(ANSWER);
  });

  test('Express: without a parser, with a raw parser, and with a parser that keeps the bytes', async () => {
    for (const parser of [
      undefined,
      express.raw({ type: '*/*' }),
      express.json({ type: '*/*', verify: keepRawBody }),
    ]) {
      const app = express();
      if (parser) app.use(parser);
      app.post('/tieline', bot.nodeHandler());
      server = createServer(app);
      expect(await post(click({ parser: parser?.name }))).toEqual(ANSWER);
      await new Promise((done) => server!.close(done));
    }
    server = undefined;
  });

  test('Express with a parser that discards the bytes: the log explains the fix', async () => {
    const app = express();
    app.use(express.json({ type: '*/*' }));
    app.post('/tieline', bot.nodeHandler());
    server = createServer(app);
    expect(await post(click())).toBe(500);
    expect(log.join()).toContain('the raw body has been parsed');
  });

  test('Fastify, without affecting the parsers of other routes', async () => {
    const app = fastify();
    await app.register(bot.fastifyPlugin(), { path: '/tieline' });
    app.post('/own', (own) => Promise.resolve({ got: own.body }));
    const { headers } = await request(click());
    const sent = { method: 'POST', payload: click(), headers: Object.fromEntries(headers) } as const;
    expect((await app.inject({ ...sent, url: '/tieline' })).json()).toEqual(ANSWER);
    const own = { method: 'POST', url: '/own', payload: { a: 1 } } as const;
    expect((await app.inject(own)).json()).toEqual({ got: { a: 1 } });
    await app.close();
  });

  test('Hono', async () => {
    const app = new Hono();
    const handle = bot.fetchHandler();
    app.post('/tieline', (context) => handle(context.req.raw));
    const given = await request(click());
    const response = await app.request('/tieline', { method: 'POST', body: click(), headers: given.headers });
    expect(await response.json()).toEqual(ANSWER);
  });
});
