import { connect as connectTcp } from 'node:net';
import { hashToken } from '@tieline/signing';
import { eventually, HeldIntervals, readRows } from '@tieline/testing';
import { WebSocket } from 'ws';
import { limitedToken, OPERATOR_TOKEN } from '@tieline/spaces/testing';
import { startAnotherApi } from '../testing/another-api.js';
import type { AnotherApi } from '../testing/another-api.js';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';
import { SocketClient } from '../testing/socket-client.js';
import { BotSocket } from './bot-socket.js';
import { NATIVE_DIALECT } from './native-dialect.js';
import { openSocket } from './open-socket.js';

const PING_SECONDS = 60;
/** Feeds look at what is due, and at readers that are too slow, this often. */
const TICK_MS = 250;

let intervals: HeldIntervals;
let harness: EventsHarness;
let other: AnotherApi;
let bot: SeededBot;
const open: SocketClient[] = [];

async function connect(token: string | undefined = bot.token, url = harness.api.url): Promise<SocketClient> {
  const client = await SocketClient.open(url, token);
  open.push(client);
  return client;
}

/** Sends a ping message and waits for its answer, so that everything sent before is processed. */
async function roundTrip(client: SocketClient): Promise<void> {
  const pongs = (): number => client.messages.filter(({ type }) => type === 'pong').length;
  const before = pongs();
  client.ws.send('{"type": "ping"}');
  await client.until(() => pongs() > before);
}

/** Connects as a browser does. */
async function fromBrowser(token: string): Promise<SocketClient> {
  const client = await SocketClient.open(harness.api.url, undefined, [
    'tieline.v1',
    `tieline.bearer.${token}`,
  ]);
  open.push(client);
  return client;
}

const refusal = (
  token: string | undefined,
  url = harness.api.url,
): Promise<{ status: number; body: object }> =>
  SocketClient.open(url, token).then(
    () => Promise.reject(new Error('the socket was accepted')),
    (error: { status: number; body: object }) => error,
  );

async function disconnected(client: SocketClient, reason: string): Promise<number | undefined> {
  await client.until(({ closed }) => closed);
  expect(client.messages.at(-1)).toEqual({ type: 'disconnect', reason });
  return client.closed?.code;
}

beforeAll(async () => {
  intervals = new HeldIntervals(TICK_MS, PING_SECONDS * 1000);
  harness = await EventsHarness.start({
    SOCKET_ACK_SECONDS: '5',
    SOCKET_PING_SECONDS: String(PING_SECONDS),
  });
  other = await startAnotherApi(harness.api);
});
afterAll(async () => {
  await other?.app.close();
  await harness?.close();
  intervals.release();
});
beforeEach(async () => {
  bot = await harness.bot();
});
afterEach(() => {
  for (const client of open.splice(0)) client.ws.terminate();
});

test("refuses the handshake with 401 for a missing, bad or person's token, and with 409 in another mode", async () => {
  expect(await refusal(undefined)).toMatchObject({
    status: 401,
    body: { ok: false, error: 'missing authorization header', code: 'missing_authorization' },
  });
  expect(await refusal('tlb_nonsense')).toMatchObject({ status: 401, body: { code: 'invalid_token' } });
  expect(await refusal(harness.owner.token)).toMatchObject({
    status: 401,
    body: { code: 'token_of_a_person' },
  });
  const pushed = await harness.bot({ event_delivery_mode: 'none' });
  expect(await refusal(pushed.token)).toMatchObject({ status: 409, body: { code: 'not_in_poll_mode' } });
});

test('refuses the handshake with 403 for a token without the scope events', async () => {
  expect(await refusal(limitedToken(bot.token, 'messages:read'))).toMatchObject({
    status: 403,
    body: { code: 'insufficient_scope', required: 'events', granted: ['messages:read'] },
  });
});

test('refuses the handshake with 401 if the token is replaced during it', async () => {
  const replaced = {
    spaceId: harness.space.spaceId,
    botId: bot.id,
    tokenHash: hashToken('replaced'),
    dialect: NATIVE_DIALECT,
  };
  await expect(openSocket(harness.api.db, replaced, BotSocket.newId())).rejects.toMatchObject({
    status: 401,
    code: 'invalid_token',
  });
});

test('POLLING_ENABLED=false responds 503', async () => {
  const off = await EventsHarness.start({ POLLING_ENABLED: 'false' });
  try {
    const { token } = await off.bot();
    expect(await refusal(token, off.api.url)).toMatchObject({
      status: 503,
      body: { code: 'polling_disabled' },
    });
  } finally {
    await off.close();
  }
});

test('with subprotocols the server picks tieline.v1, and refusals are close codes', async () => {
  const client = await fromBrowser(bot.token);
  await client.until(({ hello }) => hello?.type === 'hello');
  expect(client.ws.protocol).toBe('tieline.v1');
  const codeOf = async (token: string): Promise<number | undefined> => {
    const refused = await fromBrowser(token);
    await refused.until(({ closed }) => closed);
    expect([refused.ws.protocol, refused.messages]).toEqual(['tieline.v1', []]);
    return refused.closed?.code;
  };
  expect(await codeOf('tlb_nonsense')).toBe(4401);
  expect(await codeOf((await harness.bot({ event_delivery_mode: 'none' })).token)).toBe(4409);
  const elsewhere = await harness.otherSpace();
  const away = await elsewhere.bot();
  await harness.api.call('PATCH', `/api/v1/operator/spaces/${elsewhere.space.spaceId}`, {
    token: OPERATOR_TOKEN,
    body: { is_active: false },
  });
  expect(await codeOf(away.token)).toBe(4403);
});

test('an eleventh socket in all processes is refused with 429 or 4429 until one closes', async () => {
  const ten = await Promise.all(
    Array.from({ length: 10 }, (_, n) => connect(bot.token, n % 2 ? other.url : harness.api.url)),
  );
  expect(await refusal(bot.token)).toMatchObject({ status: 429, body: { code: 'too_many_sockets' } });
  const browser = await fromBrowser(bot.token);
  await browser.until(({ closed }) => closed);
  expect(browser.closed?.code).toBe(4429);
  expect(ten.every(({ closed }) => closed === undefined)).toBe(true);
  ten[0]?.close();
  await eventually(async () => {
    const rows = await readRows(harness.api.db, 'SELECT 1 FROM bot_sockets WHERE bot_id = $1', [bot.id]);
    expect(rows).toHaveLength(9);
  });
  await connect();
});

test('a GET without a handshake gets 426, refused in the same order as a handshake', async () => {
  const get = (token: string): ReturnType<typeof harness.api.call> =>
    harness.api.call('GET', '/api/v1/bot/socket', { token });
  expect((await get('tlb_nonsense')).status).toBe(401);
  expect((await get((await harness.bot({ event_delivery_mode: 'none' })).token)).status).toBe(409);
  const { status, headers, body } = await get(bot.token);
  expect([status, headers.get('upgrade'), body.code]).toEqual([426, 'websocket', 'upgrade_required']);
});

test('a request that offers another upgrade is answered as if it offered none', async () => {
  const { hostname, port } = new URL(harness.api.url);
  const socket = connectTcp(Number(port), hostname);
  let answer = '';
  socket.on('data', (part: Buffer) => (answer += part.toString()));
  const body = '{"display_name": "Upgraded"}';
  const offer = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
  const head = `PATCH /api/v1/bot/me HTTP/1.1\r\nHost: x\r\n${offer}Authorization: Bearer ${bot.token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  socket.write(`${head}${body.slice(0, 5)}`);
  await new Promise((resolve) => setImmediate(resolve));
  socket.write(body.slice(5));
  await eventually(() => expect(answer).toContain('"display_name":"Upgraded"'));
  expect(answer).toMatch(/^HTTP\/1.1 200/);
  // The connection continues as an ordinary one.
  answer = '';
  socket.write(`GET /api/v1/bot/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bot.token}\r\n\r\n`);
  await eventually(() => expect(answer).toMatch(/^HTTP\/1.1 200/));
  socket.destroy();
  const elsewhere = new WebSocket(`${harness.api.url.replace('http', 'ws')}/api/v1/nowhere`);
  const status = await new Promise((resolve) =>
    elsewhere
      .on('error', () => undefined)
      .on('unexpected-response', (_, response) => resolve(response.statusCode)),
  );
  expect(status).toBe(404);
});

test.each([
  ['text that is not JSON', 'nonsense', 1003],
  ['a binary message', Buffer.from('{}'), 1003],
  ['a message over 64 KiB', `"${'x'.repeat(65_536)}"`, 1009],
])('%s closes the socket', async (_, sent, code) => {
  const client = await connect();
  client.ws.send(sent);
  await client.until(({ closed }) => closed);
  expect(client.closed?.code).toBe(code);
});

test('exactly 64 KiB are read', async () => {
  const client = await connect();
  client.ws.send(`"${'x'.repeat(65_534)}"`);
  await harness.post(await harness.channel(), 'still there');
  await client.got(1);
  expect(client.closed).toBeUndefined();
});

test.each([
  ['a new token', (id: string) => harness.admin('POST', `/bots/${id}/regenerate_token`), 'token'],
  [
    'a reset',
    (id: string) => harness.admin('POST', `/bots/${id}/regenerate_token`, { reset: true }),
    'token',
  ],
  ['being disabled', (id: string) => harness.admin('PATCH', `/bots/${id}`, { is_active: false }), 'token'],
  ['being deleted', (id: string) => harness.admin('DELETE', `/bots/${id}`), 'token'],
  [
    'another mode',
    (id: string) => harness.admin('PATCH', `/bots/${id}`, { event_delivery_mode: 'none' }),
    'mode',
  ],
])('%s ends the sockets in every process, before they look at what is due', async (_, change, reason) => {
  const clients = [await connect(), await connect(bot.token, other.url)];
  expect((await change(bot.id)).status).toBe(200);
  for (const client of clients) expect(await disconnected(client, reason)).toBeGreaterThan(1000);
});

test('pings arrive; a client that does not answer them is disconnected', async () => {
  const alive = await connect();
  const dead = await SocketClient.open(harness.api.url, bot.token, [], { autoPong: false });
  open.push(dead);
  for (const count of [1, 2, 3]) {
    await intervals.pass(PING_SECONDS * 1000);
    await alive.until(({ pings }) => pings === count);
    await roundTrip(alive);
  }
  await dead.until(({ closed }) => closed);
  expect(dead.closed?.code).toBe(1006);
  expect(dead.pings).toBe(1);
  expect(alive.closed).toBeUndefined();
});

test('a bot stays connected while its acknowledgements wait for the database', async () => {
  const client = await connect();
  const AT_ONCE = 8;
  for (let n = 0; n < AT_ONCE; n += 1) await harness.post(await harness.channel(), `event ${n}`);
  await client.got(AT_ONCE);
  const blocker = await harness.api.db.pool.connect();
  try {
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE socket_envelopes IN ACCESS EXCLUSIVE MODE');
    client.envelopes.forEach(({ envelope_id: id }) => client.acknowledge(id));
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
      AND wait_event_type = 'Lock' AND query LIKE '%socket_envelopes%'`;
    await eventually(async () =>
      expect((await readRows(harness.api.db, waiting)).length).toBeGreaterThanOrEqual(AT_ONCE),
    );
    // The bot keeps receiving pings from the server.
    for (const count of [1, 2, 3, 4]) {
      await intervals.pass(PING_SECONDS * 1000);
      await client.until(({ pings }) => pings === count);
    }
    expect(client.closed).toBeUndefined();
  } finally {
    await blocker.query('COMMIT');
    blocker.release();
  }
  await eventually(async () => {
    const rows = await readRows(harness.api.db, 'SELECT 1 FROM poll_records WHERE bot_id = $1', [bot.id]);
    expect(rows).toHaveLength(0);
  });
});

test('a ping message is answered with a pong message', async () => {
  const client = await connect();
  client.ws.send('{"type": "ping"}');
  await client.until(({ messages }) => messages.some(({ type }) => type === 'pong'));
});

test('at most 1,000 envelopes are in flight; an acknowledgement makes room', async () => {
  // A long lease: none is due again, however long a thousand take.
  const patient = await EventsHarness.start({ SOCKET_ACK_SECONDS: '600' });
  try {
    const polling = await patient.bot();
    const client = await connect(polling.token, patient.api.url);
    await patient.api.db.query(
      `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload, conversation_id)
       SELECT $1, $2, (extract(epoch FROM now()) * 1000000000)::bigint + n, gen_random_uuid(), 'MESSAGE_CREATED', '{"text": "x"}', gen_random_uuid()
         FROM generate_series(1, 1100) n`,
      [patient.space.spaceId, polling.id],
    );
    await patient.post(await patient.channel(), 'a hint');
    await client.until(({ envelopes }) => envelopes.length >= 1000, 60_000);
    client.acknowledge(client.envelopes[0]?.envelope_id);
    await client.until(({ envelopes }) => envelopes.length >= 1001);
    // After a round trip there are no more.
    await roundTrip(client);
    expect(new Set(client.envelopes.map(({ envelope_id: id }) => id)).size).toBe(1001);
    expect(client.envelopes).toHaveLength(1001);
  } finally {
    await patient.close();
  }
});

test('a reader that leaves everything unread is disconnected as slow, and its records are not lost', async () => {
  const client = await connect();
  client.ws.pause();
  const payload = JSON.stringify({ text: 'x'.repeat(60_000) });
  await harness.api.db.query(
    `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload, conversation_id)
     SELECT $1, $2, (extract(epoch FROM now()) * 1000000000)::bigint + n, gen_random_uuid(), 'MESSAGE_CREATED', $3, gen_random_uuid()
       FROM generate_series(1, 400) n`,
    [harness.space.spaceId, bot.id, payload],
  );
  await harness.post(await harness.channel(), 'a hint');
  await eventually(async () => {
    await intervals.pass(TICK_MS);
    const rows = await readRows(harness.api.db, 'SELECT 1 FROM bot_sockets WHERE bot_id = $1', [bot.id]);
    expect(rows).toEqual([]);
  });
  expect(client.envelopes.length).toBe(0);
  (await connect()).acknowledgeAll();
  const left = (): Promise<unknown[]> =>
    readRows(harness.api.db, 'SELECT 1 FROM poll_records WHERE bot_id = $1', [bot.id]);
  // Without ticks it is never too slow, however long it takes.
  await eventually(async () => expect(await left()).toHaveLength(0), { timeoutMs: 60_000 });
});

test('a shutdown disconnects the bot, and unacknowledged envelopes are sent again', async () => {
  const third = await startAnotherApi(harness.api);
  const client = await connect(bot.token, third.url);
  await harness.post(await harness.channel(), 'hello');
  const { envelope_id: id } = await client.got(1);
  await third.app.close();
  expect(await disconnected(client, 'shutdown')).toBe(1001);
  const next = await connect();
  expect(await next.got(1)).toMatchObject({ envelope_id: id, attempt: 2 });
});
