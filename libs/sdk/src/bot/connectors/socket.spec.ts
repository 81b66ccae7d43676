import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@tieline/testing';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { Bot } from '../bot.js';

type Fields = Record<string, any>;

/** A server scripted by the tests. */
let server: Server;
let sender: WebSocketServer;
let peers: WebSocket[];
/** The bot's socket messages and requests, in order. */
let received: Fields[];
let asked: [string, unknown][];
/** Whether a `later` is confirmed. */
let confirmsLater: boolean;
let bot: Bot;

beforeEach(async () => {
  [peers, received, asked, confirmsLater] = [[], [], [], true];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      if (request.method === 'POST') asked.push([line, JSON.parse(body)]);
      response.setHeader('content-type', 'application/json');
      const me = { id: 'b', event_delivery_mode: 'poll' };
      response.end(JSON.stringify({ bot: me, commands: [], message_id: 'm' }));
    });
  });
  sender = new WebSocketServer({ server, handleProtocols: () => 'tieline.v1' });
  sender.on('connection', (peer) => {
    peers.push(peer);
    peer.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Fields;
      if (message.type !== 'ping') received.push(message);
      if (message.later && confirmsLater)
        peer.send(JSON.stringify({ type: 'told', envelope_id: message.envelope_id }));
    });
    peer.send('{"type":"hello","connection_id":"c"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bot = new Bot({ url, token: 'tlb_t', log: () => undefined });
});
afterEach(async () => {
  await bot.stop({ timeoutMs: 0 });
  for (const peer of peers) peer.terminate();
  sender.close();
  await new Promise((done) => server.close(done));
});

const start = (): Promise<void> => bot.start({ via: 'socket', signals: false });
const say = (type: string, id: string, payload: Fields, peer = peers.at(-1)!): void =>
  peer.send(
    JSON.stringify({
      ...{ type, envelope_id: id, attempt: 1 },
      payload: { conversation_id: 'c', response_token: 'tlr', ...payload },
    }),
  );
const click = (id: string): void =>
  say('interaction', id, { event_type: 'button.click', action_id: 'go', interaction_id: `i${id}` });
const until = (count: number): Promise<void> => eventually(() => expect(received).toHaveLength(count));

test('a single answer is sent with the acknowledgement', async () => {
  bot.click('go', (ctx) => ctx.ephemeral('hi'));
  await start();
  click('1');
  await until(1);
  expect([received, asked]).toEqual([[{ envelope_id: '1', answer: { ephemeral_text: 'hi' } }], []]);
});

test('sends the first of two answers immediately and the second as a request, then acknowledges the end', async () => {
  let finish: () => void = () => undefined;
  const work = new Promise<void>((done) => (finish = done));
  bot.click('go', async (ctx) => {
    await ctx.update('Working …');
    await ctx.reply('Done');
    await work;
  });
  await start();
  const first = { envelope_id: '1', answer: { update_message: { text: 'Working …' } } };
  click('1');
  await eventually(() => expect(asked).toHaveLength(1));
  expect([received, asked]).toEqual([
    [{ ...first, later: true }],
    [['POST /api/v1/bot/responses/tlr', { send_message: { text: 'Done' } }]],
  ]);
  finish();
  await until(2);
  expect(received[1]).toEqual(first);
});

test('`later` without an answer releases the person, and the form can still be answered', async () => {
  bot.submit('go', async (ctx) => {
    await ctx.later();
    if (ctx.values.why) await ctx.errors({ why: 'too short' });
  });
  await start();
  const submit = (id: string, values: Fields): void =>
    say('interaction', id, {
      ...{ event_type: 'modal.submit', action_id: 'go', interaction_id: `i${id}`, values },
    });
  submit('1', { why: 'x' });
  await until(2);
  expect(received).toEqual([{ envelope_id: '1', later: true }, { envelope_id: '1' }]);
  expect(asked).toEqual([['POST /api/v1/bot/interactions/i1/respond', { errors: { why: 'too short' } }]]);
  submit('2', {});
  await until(4);
  expect(received.slice(2)).toEqual([
    { envelope_id: '2', later: true },
    // A form without an answer would stay locked.
    { envelope_id: '2', answer: {} },
  ]);
});

test('a late answer to a command, and a deleted message', async () => {
  bot.command('/deploy', async (ctx) => {
    await ctx.later();
    await ctx.reply('Done');
  });
  bot.click('go', (ctx) => ctx.delete());
  await start();
  say('command', '1', { trigger_id: 't1', command: 'deploy' });
  await until(2);
  click('2');
  await until(4);
  expect(received).toEqual([
    { envelope_id: '1', later: true },
    { envelope_id: '1' },
    { envelope_id: '2', later: true },
    expect.objectContaining({ envelope_id: '2' }),
  ]);
  expect(asked.slice(-2)).toEqual([
    ['POST /api/v1/bot/responses/tlr', { send_message: { text: 'Done' } }],
    ['POST /api/v1/bot/responses/tlr', { delete_message: true }],
  ]);
});

test('a reply lost with its connection is sent again over the next one, and the handler waits for it', async () => {
  confirmsLater = false;
  bot.click('go', async (ctx) => {
    await ctx.update('Working …');
    await ctx.reply('Done');
  });
  await start();
  click('1');
  await until(1);
  confirmsLater = true;
  peers[0]!.terminate();
  await eventually(() => expect(peers).toHaveLength(2));
  click('1');
  await until(3);
  const first = { envelope_id: '1', answer: { update_message: { text: 'Working …' } } };
  expect(received).toEqual([{ ...first, later: true }, { ...first, later: true }, first]);
  expect(asked).toHaveLength(1);
});

test('a server without confirmations delays a handler only briefly', async () => {
  confirmsLater = false;
  bot.click('go', async (ctx) => {
    await ctx.later();
    await ctx.reply('Done');
  });
  await start();
  click('1');
  await until(2);
  expect(asked).toHaveLength(1);
});
