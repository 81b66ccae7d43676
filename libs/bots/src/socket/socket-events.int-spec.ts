import { eventually, readRows } from '@tieline/testing';
import { EventsHarness } from '../testing/events-harness.js';
import { SocketClient } from '../testing/socket-client.js';
import { startAnotherApi } from '../testing/another-api.js';
import type { AnotherApi } from '../testing/another-api.js';
import type { SeededBot } from '../testing/bots-fixture.js';

/** Much longer than a test waits, so that nothing is sent again because it is due. */
const LONG_ACK_SECONDS = '60';

let harness: EventsHarness;
let other: AnotherApi;
let bot: SeededBot;
let channel: string;
const open: SocketClient[] = [];

async function connect(url = harness.api.url, token = bot.token): Promise<SocketClient> {
  const client = await SocketClient.open(url, token);
  open.push(client);
  return client;
}

const post = async (...texts: string[]): Promise<void> => {
  for (const text of texts) await harness.post(channel, text);
};
const queued = async (): Promise<string[]> => harness.texts(bot);

beforeAll(async () => {
  harness = await EventsHarness.start({ SOCKET_ACK_SECONDS: LONG_ACK_SECONDS });
  other = await startAnotherApi(harness.api);
});
afterAll(async () => {
  await other?.app.close();
  await harness?.close();
});
beforeEach(async () => {
  bot = await harness.bot();
  channel = await harness.channel();
});
afterEach(() => {
  for (const client of open.splice(0)) client.ws.terminate();
});

test('after hello, an event arrives in the form of a push', async () => {
  const client = await connect();
  await client.until(({ hello }) => hello);
  expect(client.hello).toEqual({ type: 'hello', connection_id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  const { messageId } = await harness.post(channel, 'hello');
  const envelope = await client.got(1);
  expect(envelope).toEqual({
    type: 'event',
    envelope_id: expect.any(String),
    attempt: 1,
    payload: {
      event_id: expect.any(String),
      event_type: 'MESSAGE_CREATED',
      space_id: harness.space.spaceId,
      conversation_id: channel,
      thread_id: '',
      actor_user_id: harness.owner.id,
      occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/),
      schema_version: 1,
      data: expect.objectContaining({ message_id: messageId, text: 'hello' }),
    },
  });
});

test('unread records come first, oldest first, and one per conversation at a time', async () => {
  const second = await harness.channel();
  await post('a1', 'a2');
  await harness.post(second, 'b1');
  await harness.planned();
  const client = await connect();
  await client.got(2);
  expect(client.texts).toEqual(['a1', 'b1']);
  client.acknowledge(client.envelopes[0]?.envelope_id);
  await client.got(3);
  expect(client.texts).toEqual(['a1', 'b1', 'a2']);
});

test('an acknowledgement removes the record from the queue, once; unknown ones have no effect', async () => {
  const client = await connect();
  await post('one', 'two');
  const { envelope_id: id } = await client.got(1);
  client.acknowledge('4711');
  client.acknowledge('no id');
  client.ws.send('[]');
  client.acknowledge(id);
  client.acknowledge(id);
  await client.got(2);
  expect(await queued()).toEqual(['two']);
  expect(client.closed).toBeUndefined();
});

test('a record before a polled cursor is not sent, and stays readable', async () => {
  await post('read', 'unread');
  const [first] = await harness.queue(bot);
  await harness.poll(bot, `?cursor=${first?.id}`);
  const client = await connect();
  await client.got(1);
  expect(client.texts).toEqual(['unread']);
  expect(await queued()).toEqual(['read', 'unread']);
});

test('a record in flight before a polled cursor is not sent again, and its conversation continues', async () => {
  const client = await connect();
  await post('one', 'two');
  const { envelope_id: id } = await client.got(1);
  await harness.poll(bot, `?cursor=${id}`);
  await client.got(2);
  expect(client.envelopes.map(({ attempt }) => attempt)).toEqual([1, 1]);
  expect(client.texts).toEqual(['one', 'two']);
});

test('a cursor in the future does not skip later records', async () => {
  await harness.poll(bot, '?cursor=9223372036854775807');
  const client = await connect();
  await post('later');
  await client.got(1);
  expect(client.texts).toEqual(['later']);
});

test('a closed socket loses nothing: another one, in another process, receives it immediately', async () => {
  const client = await connect();
  await post('dropped', 'after');
  const { envelope_id: id } = await client.got(1);
  const next = await connect(other.url);
  client.ws.terminate();
  const again = await next.got(1);
  expect(again).toMatchObject({ envelope_id: id, attempt: 2 });
  next.acknowledge(id);
  await next.got(2);
  expect(next.texts).toEqual(['dropped', 'after']);
});

test('an envelope answered with `later` stays with its socket, is confirmed, and is sent again when the socket closes', async () => {
  const client = await connect();
  await post('long work', 'after');
  const { envelope_id: id } = await client.got(1);
  client.later(id);
  await client.until(({ messages }) => messages.some(({ type }) => type === 'told'));
  expect(client.messages.at(-1)).toEqual({ type: 'told', envelope_id: id });
  const [held] = await readRows<{ seconds: number }>(
    harness.api.db,
    'SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM socket_envelopes WHERE record_id = $1',
    [id],
  );
  expect(held?.seconds).toBeGreaterThan(250);
  const next = await connect(other.url);
  client.ws.terminate();
  expect(await next.got(1)).toMatchObject({ envelope_id: id, attempt: 2 });
  // One after the other, however fast they arrive.
  next.later(id);
  next.acknowledge(id);
  await next.got(2);
  expect(next.texts).toEqual(['long work', 'after']);
  await eventually(async () => expect(await queued()).toEqual(['after']));
});

test('sockets in two processes share the load: each record once, each conversation in order', async () => {
  const channels = await Promise.all(Array.from({ length: 8 }, () => harness.channel()));
  const clients = await Promise.all([connect(), connect(), connect(other.url), connect(other.url)]);
  const got: string[] = [];
  for (const client of clients)
    client.acknowledgeAll(({ payload }) => void got.push(payload.data.text as string));
  await Promise.all(
    channels.map(async (to, n) => {
      for (let k = 0; k < 10; k += 1) await harness.post(to, `${n}/${k}`);
    }),
  );
  await clients[0]?.until(() => got.length >= 80, 60_000);
  expect(got).toHaveLength(80);
  for (let n = 0; n < channels.length; n += 1)
    expect(got.filter((text) => text.startsWith(`${n}/`))).toEqual(
      Array.from({ length: 10 }, (_, k) => `${n}/${k}`),
    );
  expect(clients.filter(({ envelopes }) => envelopes.length > 0).length).toBeGreaterThan(1);
  await eventually(async () => expect(await queued()).toEqual([]));
});

test('an acknowledgement over another socket counts', async () => {
  const [first, second] = [await connect(), await connect(other.url)];
  await post('one', 'two');
  await first.until(() => first.envelopes.length + second.envelopes.length === 1);
  const [got, another] = first.envelopes.length === 1 ? [first, second] : [second, first];
  another.acknowledge(got.envelopes[0]?.envelope_id);
  await first.until(() => [...first.texts, ...second.texts].includes('two'));
  await eventually(async () => expect(await queued()).toEqual(['two']));
});

/** Runs the tests of a block on an installation with this SOCKET_ACK_SECONDS. */
function useAckSeconds(seconds: number): void {
  let usual: EventsHarness;
  beforeAll(async () => {
    usual = harness;
    harness = await EventsHarness.start({ SOCKET_ACK_SECONDS: String(seconds) });
  });
  afterAll(async () => {
    if (harness !== usual) await harness.close();
    harness = usual;
  });
}

describe('unacknowledged envelopes', () => {
  useAckSeconds(1);

  test('an unacknowledged envelope is sent eight times with the same id; then it is left to polling and the next one arrives', async () => {
    const client = await connect();
    await post('stubborn', 'next');
    await client.until(({ texts }) => texts.includes('next'), 60_000);
    const stubborn = client.envelopes.filter(({ payload }) => payload.data.text === 'stubborn');
    expect(stubborn.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(new Set(stubborn.map(({ envelope_id: id }) => id)).size).toBe(1);
    expect(await queued()).toEqual(['stubborn', 'next']);
  });

  test('an envelope sent eight times without acknowledgement raises one notice, until an admin dismisses it', async () => {
    await connect();
    // In separate conversations, so that none waits for another.
    for (const place of [channel, await harness.channel()]) await harness.post(place, 'poison');
    const notices = async () =>
      (await harness.admin('GET', '/notices?limit=200')).body.notices.filter(
        ({ object_id: id }: { object_id: string }) => id === bot.id,
      );
    const left = (n: number) =>
      eventually(
        async () =>
          expect(
            await harness.api.db.query(
              `SELECT 1 FROM socket_envelopes WHERE bot_id = $1 AND state = 'left'`,
              [bot.id],
            ),
          ).toHaveLength(n),
        { timeoutMs: 60_000 },
      );
    await left(2);
    expect(await notices()).toMatchObject([
      {
        kind: 'bot.event_unacknowledged',
        object_type: 'bot',
        text: expect.stringMatching(
          /did not acknowledge MESSAGE_CREATED [0-9a-f-]{36} over its socket after 8 attempts/,
        ),
      },
    ]);
  });
});

describe('more unacknowledged envelopes than a socket may have', () => {
  // Long enough that a busy machine sends a thousand before the first one was sent eight times.
  useAckSeconds(5);

  test('a socket never has more than 1,000 envelopes in flight, even when unacknowledged ones are sent again', async () => {
    const client = await connect();
    await harness.api.db.query(
      `INSERT INTO poll_records (space_id, bot_id, id, event_id, event_type, payload, conversation_id)
     SELECT $1, $2, (extract(epoch FROM now()) * 1000000000)::bigint + n, gen_random_uuid(), 'MESSAGE_CREATED', '{"text": "x"}', gen_random_uuid()
       FROM generate_series(1, 1100) n`,
      [harness.space.spaceId, bot.id],
    );
    const different = () => new Set(client.envelopes.map(({ envelope_id: id }) => id as string)).size;
    await client.until(() => different() >= 1000, 60_000);
    // All of them once more: repeats take no room of others, and no others arrive.
    await client.until(({ envelopes }) => envelopes.length >= 2500, 60_000);
    expect(different()).toBe(1000);
    const seen = new Set<unknown>();
    for (const { envelope_id: id } of client.envelopes) {
      if (!seen.has(id)) client.acknowledge(id);
      seen.add(id);
    }
    await client.until(() => different() === 1100, 60_000);
  });
});
