import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '@tieline/testing';
import { Bot } from '../bot.js';
import { sign } from '../../signatures/sign.js';

const SECRET = 'whsec_c_0123456789';
const YES = { type: 'button', action_id: 'yes', text: 'Yes' };
const SURE = { text: 'Sure?', blocks: [{ type: 'actions', elements: [YES] }] };
const metadata_json = JSON.stringify({ version: 1, blocks: SURE.blocks });
const asked: unknown[] = [];

let api: Server;
let bot: Bot;
beforeAll(async () => {
  api = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push([request.url, JSON.parse(Buffer.concat(chunks).toString())]);
      response.setHeader('content-type', 'application/json').end('{"ok":true}');
    });
  });
  await new Promise<void>((ready) => api.listen(0, '127.0.0.1', ready));
});
beforeEach(() => {
  asked.length = 0;
  const { port } = api.address() as AddressInfo;
  bot = new Bot({ token: 'tlb_t', url: `http://127.0.0.1:${port}`, secrets: [SECRET], log: () => undefined });
});
afterAll(() => new Promise((done) => api.close(done)));

/** Sends a callback to the bot. @returns its answer */
async function happens(payload: object): Promise<unknown> {
  const body = JSON.stringify({ conversation_id: 'c', response_token: 'tlr_1', ...payload });
  const headers = await sign({ scheme: 'outgoing', secret: SECRET, body });
  const request = new Request('http://bot.example.com/', { method: 'POST', body, headers });
  return (await bot.fetchHandler()(request)).json();
}
const click = { event_type: 'button.click', action_id: 'go' };

test('blocks are sent with the ephemeral text of a click, a form and a command', async () => {
  bot.click('go', (ctx) => ctx.ephemeral(SURE));
  bot.submit('go', (ctx) => ctx.ephemeral(SURE));
  bot.command('/deploy', (ctx) => ctx.ephemeral(SURE));
  expect(await happens(click)).toEqual({ ephemeral_text: 'Sure?', metadata_json });
  expect(await happens({ ...click, event_type: 'modal.submit' })).toEqual({
    ephemeral_text: 'Sure?',
    metadata_json,
  });
  expect(await happens({ trigger_id: 't', command: 'deploy', text: '' })).toEqual({
    text: 'Sure?',
    metadata_json,
  });
});

test('blocks are sent with a late ephemeral answer', async () => {
  bot.click('go', async (ctx) => {
    await ctx.later();
    await ctx.ephemeral({ ...SURE, metadata: { order: 7 } });
  });
  await happens(click);
  const withOrder = JSON.stringify({ version: 1, order: 7, blocks: SURE.blocks });
  const answer = { ephemeral_text: 'Sure?', metadata_json: withOrder };
  // Answer the click's request first.
  await eventually(() => expect(asked).toEqual([['/api/v1/bot/responses/tlr_1', answer]]));
});

test('a text without blocks has no metadata', async () => {
  bot.click('go', (ctx) => ctx.ephemeral('hi'));
  bot.command('/deploy', (ctx) => ctx.ephemeral({ text: 'hi' }));
  expect(await happens(click)).toEqual({ ephemeral_text: 'hi' });
  expect(await happens({ trigger_id: 't', command: 'deploy', text: '' })).toEqual({ text: 'hi' });
});

test('blocks without text are not accepted as an ephemeral answer', () => {
  // @ts-expect-error Tieline refuses an ephemeral message without a text
  bot.click('go', (ctx) => ctx.ephemeral({ blocks: SURE.blocks }));
});
