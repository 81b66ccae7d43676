import { eventually } from '@tieline/testing';
import { WebSocket } from 'ws';
import { SlackWorkspace, spelled } from './slack-workspace.js';
import type { SlackBot } from './slack-workspace.js';

type Json = Record<string, any>;

let slack: SlackWorkspace;
const sockets: WebSocket[] = [];
beforeAll(async () => {
  slack = await SlackWorkspace.start({ SOCKET_ACK_SECONDS: '2' });
});
afterAll(() => slack?.close());
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});

/** Calls apps.connections.open. */
async function ask(token: string): Promise<Json> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${slack.slackApiUrl}apps.connections.open`, { method: 'POST', headers });
  return { status: answer.status, ...((await answer.json()) as Json) };
}

const ticketOf = async (bot: SlackBot): Promise<string> => (await ask(spelled('xapp-', bot))).url;

/** Opens a socket and records its messages. Rejects with the status of a refused handshake. */
async function connect(url: string): Promise<{ socket: WebSocket; messages: Json[] }> {
  const socket = new WebSocket(url);
  sockets.push(socket);
  const messages: Json[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  await new Promise((resolve, reject) => {
    socket.on('error', () => undefined);
    socket.on('unexpected-response', (_, { statusCode }) => reject(new Error(String(statusCode))));
    socket.on('open', resolve);
  });
  return { socket, messages };
}

const polling = (settings: object = {}): Promise<SlackBot> =>
  slack.bot({ event_delivery_mode: 'poll', event_types: ['MESSAGE_CREATED'], ...settings });
const envelopes = (messages: Json[]): Json[] => messages.filter(({ envelope_id: id }) => id !== undefined);
/** Without those that were sent again. */
const firsts = (messages: Json[]): Json[] =>
  envelopes(messages).filter(({ retry_attempt: attempt }) => attempt === 0);

test('an app-level token gets an address below PUBLIC_URL, whose ticket is valid once', async () => {
  const url = await ticketOf(await polling());
  expect(url).toMatch(new RegExp(`^ws://127\\.0\\.0\\.1:\\d+/slack/socket\\?ticket=[\\w-]+$`));
  const { messages } = await connect(url);
  await eventually(() => expect(messages).toMatchObject([{ type: 'hello' }]));
  await expect(connect(url)).rejects.toThrow('401');
});

test('of concurrent handshakes with one ticket one succeeds', async () => {
  const url = await ticketOf(await polling());
  const all = await Promise.allSettled([connect(url), connect(url), connect(url)]);
  expect(all.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('a ticket expires after 20 seconds, and with the token that it was issued for', async () => {
  const bot = await polling();
  const old = await ticketOf(bot);
  await slack.tieline.sql.query(
    "UPDATE bot_sockets SET seen_at = now() - interval '21 seconds' WHERE bot_id = $1",
    [bot.id],
  );
  await expect(connect(old)).rejects.toThrow('401');
  const replaced = await ticketOf(bot);
  await slack.admin('POST', `/bots/${bot.id}/regenerate_token`);
  await expect(connect(replaced)).rejects.toThrow('401');
});

test.each(['', 'nonsense', 'A'.repeat(86), '%00'])('refuses the ticket %j', async (ticket) => {
  await expect(
    connect(`${slack.api.url.replace('http', 'ws')}/slack/socket?ticket=${ticket}`),
  ).rejects.toThrow('401');
});

test('a request that is no handshake gets 426', async () => {
  expect((await fetch(`${slack.api.url}/slack/socket?ticket=x`)).status).toBe(426);
});

test('refuses other tokens and bots that have no socket mode', async () => {
  const bot = await polling();
  expect(await ask(spelled('xoxb-', bot))).toMatchObject({ ok: false, error: 'not_allowed_token_type' });
  expect(await ask(bot.token)).toMatchObject({ ok: false, error: 'not_allowed_token_type' });
  expect(await ask('xapp-nonsense')).toMatchObject({ status: 200, ok: false, error: 'invalid_auth' });
  const native = await polling({ event_format: 'native' });
  expect(await ask(spelled('xapp-', native))).toMatchObject({ ok: false, error: 'access_denied' });
  const none = await slack.bot({ event_delivery_mode: 'none' });
  expect(await ask(spelled('xapp-', none))).toMatchObject({ ok: false, error: 'access_denied' });
});

test('the eleventh connection gets ratelimited', async () => {
  const bot = await polling();
  for (let n = 0; n < 10; n += 1) await ticketOf(bot);
  expect(await ask(spelled('xapp-', bot))).toMatchObject({ status: 429, ok: false, error: 'ratelimited' });
});

test('an event that is not acknowledged is sent again with the same id and a retry', async () => {
  const bot = await polling();
  const { socket, messages } = await connect(await ticketOf(bot));
  await slack.say('again');
  await eventually(() => expect(envelopes(messages).length).toBeGreaterThanOrEqual(2), { timeoutMs: 20_000 });
  const [first, second] = envelopes(messages) as [Json, Json];
  expect(first).toMatchObject({ type: 'events_api', retry_attempt: 0, accepts_response_payload: false });
  expect(second).toMatchObject({
    envelope_id: first.envelope_id,
    retry_attempt: 1,
    retry_reason: 'timeout',
    payload: first.payload,
  });
  socket.send(JSON.stringify({ envelope_id: first.envelope_id }));
  await eventually(async () => {
    const { rows } = await slack.tieline.sql.query('SELECT 1 FROM poll_records WHERE bot_id = $1', [bot.id]);
    expect(rows).toEqual([]);
  });
});

test('an event that an app never acknowledges does not delay the next one', async () => {
  const bot = await polling();
  const { socket, messages } = await connect(await ticketOf(bot));
  await slack.say('no listener');
  await slack.say('next');
  await eventually(() => {
    const texts = firsts(messages).map(({ payload }) => payload.event.text);
    expect(texts).toEqual(['no listener', 'next']);
  });
  socket.close();
});

test('two connections share the events', async () => {
  const bot = await polling();
  const both = [await connect(await ticketOf(bot)), await connect(await ticketOf(bot))];
  for (const { socket, messages } of both)
    socket.on('message', () => {
      const last = messages.at(-1);
      if (last?.envelope_id) socket.send(JSON.stringify({ envelope_id: last.envelope_id }));
    });
  for (let n = 0; n < 6; n += 1) await slack.say(`n ${n}`);
  await eventually(() => {
    const got = both.map(({ messages }) => firsts(messages).length);
    expect(got.reduce((sum, count) => sum + count)).toBe(6);
    expect(Math.min(...got)).toBeGreaterThan(0);
  });
});

test('a change of the event format disconnects, and events of the old format are not sent', async () => {
  const bot = await polling();
  const { socket, messages } = await connect(await ticketOf(bot));
  await slack.say('unread');
  await eventually(() => expect(firsts(messages)).toHaveLength(1));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await slack.admin('PATCH', `/bots/${bot.id}`, { event_format: 'native' });
  await closed;
  expect(messages.at(-1)).toMatchObject({ type: 'disconnect', reason: 'link_disabled' });
  const native = new WebSocket(`${slack.api.url.replace('http', 'ws')}/api/v1/bot/socket`, {
    headers: { authorization: `Bearer ${bot.token}` },
  });
  sockets.push(native);
  const got: Json[] = [];
  native.on('message', (data) => got.push(JSON.parse(String(data))));
  await new Promise((resolve) => native.once('open', resolve));
  await slack.say('native');
  const event = (): Json | undefined => got.find(({ type }) => type === 'event');
  await eventually(() => expect(event()).toBeDefined());
  expect(event()).toMatchObject({ payload: { event_type: 'MESSAGE_CREATED', data: { text: 'native' } } });
});

test('a native socket is refused for a bot with Slack’s format', async () => {
  const bot = await polling();
  const answer = await fetch(`${slack.api.url}/api/v1/bot/socket`, {
    headers: { authorization: `Bearer ${bot.token}` },
  });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ code: 'other_event_format' });
});
