import { ChatFixture, editMessage } from '@tieline/conversations/testing';
import type { Member } from '@tieline/conversations/testing';
import { bodyReader } from '@tieline/platform/http';
import { runInWorkerTx } from '@tieline/platform/database';
import type { BotPrincipal } from '@tieline/platform/http';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson } from '@tieline/spaces/testing';
import { EventStreamClient, eventually, readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { LiveHarness } from '../testing/live-harness.js';
import { clearStatus, setStatus } from './change-status.js';
import { SetStatusDto } from './dto/status.dto.js';
import { SWEEP_EXPIRED } from './status.statements.js';

let harness: LiveHarness;
let chat: ChatFixture;
let ann: SeededPerson;
let bot: BotPrincipal;
let channel: string;
const open: EventStreamClient[] = [];

beforeAll(async () => {
  harness = await LiveHarness.start(2);
});
afterAll(() => harness?.close());
beforeEach(async () => {
  const space = await seedSpace(harness.db);
  chat = new ChatFixture(harness.db, space.spaceId);
  ann = await space.person('member', 'Ann');
  bot = { kind: 'bot', botId: uuidv7(), spaceId: space.spaceId, channelIds: [], scopes: 'all' };
  channel = await chat.conversation({ members: [asMember(ann), robot()] });
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const asMember = ({ id }: SeededPerson): Member => ({ id, type: 'user' });
const robot = (): Member => ({ id: bot.botId, type: 'bot' });
const set = (text: string, more: { threadId?: string; loadingMessages?: string[] } = {}): Promise<unknown> =>
  setStatus(harness.db, bot, {
    conversationId: channel,
    threadId: undefined,
    loadingMessages: [],
    text,
    ...more,
  });
const clear = (threadId?: string): Promise<void> =>
  clearStatus(harness.db, bot, { conversationId: channel, threadId });

async function listen(api = harness.api, { token } = ann): Promise<EventStreamClient> {
  const stream = await api.open(token);
  open.push(stream);
  return stream;
}
const statuses = ({ events }: EventStreamClient): Record<string, unknown>[] =>
  events.filter(({ event }) => String(event).startsWith('bot.'));
/** Waits for this many events of statuses. @returns their names with texts */
async function seen(stream: EventStreamClient, count: number): Promise<string[]> {
  await stream.until(() => statuses(stream).length >= count);
  return statuses(stream).map(({ event, text }) => [event, text].filter(Boolean).join(' '));
}
/** Posts a message that arrives after everything before. */
async function settled(stream: EventStreamClient): Promise<void> {
  const { messageId } = await chat.post(channel, asMember(ann), 'and now?');
  await stream.until(({ events }) => events.some(({ message_id: id }) => id === messageId));
}

test('members see it on streams of every process, with all its fields', async () => {
  const streams = [await listen(), await listen(harness.apis[1])];
  const before = Date.now();
  await set('is searching', { loadingMessages: ['Reading …', 'Writing …'] });
  const after = Date.now();
  for (const stream of streams) {
    await seen(stream, 1);
    expect(statuses(stream)).toEqual([
      {
        event: 'bot.status',
        conversation_id: channel,
        bot_id: bot.botId,
        text: 'is searching',
        loading_messages: ['Reading …', 'Writing …'],
        expires_at: expect.stringMatching(/Z$/),
      },
    ]);
    const setAt = Date.parse(statuses(stream)[0]?.expires_at as string) - 120_000;
    expect(setAt).toBeGreaterThanOrEqual(before);
    expect(setAt).toBeLessThanOrEqual(after);
  }
});

test('a stream receives the current ones when it opens, and not those of other conversations', async () => {
  const other = await chat.conversation({ members: [robot()] });
  await set('first');
  await set('second');
  await setStatus(harness.db, bot, {
    conversationId: other,
    threadId: undefined,
    loadingMessages: [],
    text: 'hidden',
  });
  const first = await listen();
  await seen(first, 1);
  await settled(first);
  const late = await listen(harness.apis[1]);
  expect(await seen(late, 1)).toEqual(['bot.status second']);
});

test('events that arrive while a stream reads the current ones follow them', async () => {
  const first = await listen();
  await set('working');
  await seen(first, 1);
  const locker = await harness.db.pool.connect();
  await locker.query('BEGIN; LOCK TABLE bot_statuses IN ACCESS EXCLUSIVE MODE');
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database() AND query LIKE '%bot_statuses%'`;
  const opening = listen();
  await eventually(async () => expect(await readRows(harness.db, waiting)).not.toEqual([]));
  const { messageId } = await chat.post(channel, asMember(ann), 'while it opens');
  await first.until(({ events }) => events.some(({ message_id: id }) => id === messageId));
  await locker.query('COMMIT');
  locker.release();
  const late = await opening;
  await late.until(({ events }) => events.some(({ message_id: id }) => id === messageId));
  expect(late.events.map(({ event }) => event)).toEqual(['bot.status', 'message.new']);
});

test('an expired one is not sent to new streams, and is swept', async () => {
  const first = await listen();
  await set('old');
  await seen(first, 1);
  await harness.db.query(
    `UPDATE bot_statuses SET expires_at = now() - interval '1 second' WHERE bot_id = $1`,
    [bot.botId],
  );
  const stream = await listen();
  await settled(stream);
  expect(statuses(stream)).toEqual([]);
  await harness.db.query(SWEEP_EXPIRED, [1000]);
  expect(await readRows(harness.db, 'SELECT 1 FROM bot_statuses WHERE bot_id = $1', [bot.botId])).toEqual([]);
});

test('the bot clears it, and clearing none succeeds without an event', async () => {
  const stream = await listen();
  await clear();
  await set('working');
  await clear();
  await clear();
  await settled(stream);
  expect(statuses(stream)).toMatchObject([
    { event: 'bot.status' },
    { event: 'bot.status_cleared', conversation_id: channel, bot_id: bot.botId },
  ]);
});

test('it ends with the next message of the bot, not with one of a person or in another place', async () => {
  const stream = await listen();
  const { messageId: root } = await chat.post(channel, asMember(ann), 'question');
  await set('in the channel');
  await set('in the thread', { threadId: root });
  await chat.post(channel, asMember(ann), 'please');
  await chat.post(channel, robot(), 'an answer', { parentMessageId: root });
  expect(await seen(stream, 3)).toEqual([
    'bot.status in the channel',
    'bot.status in the thread',
    'bot.status_cleared',
  ]);
  expect(statuses(stream)[2]).toMatchObject({ conversation_id: channel, thread_id: root });
  await chat.post(channel, robot(), 'done');
  await seen(stream, 4);
  expect(statuses(stream)[3]).not.toHaveProperty('thread_id');
  const late = await listen();
  await settled(late);
  expect(statuses(late)).toEqual([]);
});

test('it ends when the bot changes the text of a message, such as that of a run', async () => {
  const stream = await listen();
  const { messageId } = await chat.post(channel, robot(), 'Thinking');
  await set('working');
  await runInWorkerTx(harness.db, (tx) =>
    editMessage.in(tx, {
      spaceId: bot.spaceId,
      messageId,
      editor: { id: bot.botId, type: 'bot' },
      text: 'The answer',
      access: 'granted',
    }),
  );
  expect(await seen(stream, 2)).toEqual(['bot.status working', 'bot.status_cleared']);
});

test('a status after a message stays, however close they are', async () => {
  const stream = await listen();
  await set('first');
  await chat.post(channel, robot(), 'part one');
  await set('second');
  await settled(stream);
  expect(await seen(stream, 3)).toEqual(['bot.status first', 'bot.status_cleared', 'bot.status second']);
  expect(await seen(await listen(), 1)).toEqual(['bot.status second']);
});

test('it ends with a message also after another relay has taken over', async () => {
  const stream = await listen();
  await set('working');
  await seen(stream, 1);
  await harness.startRelay();
  await harness.stopRelay();
  await chat.post(channel, robot(), 'done');
  await seen(stream, 2);
  expect(statuses(stream)[1]).toMatchObject({ event: 'bot.status_cleared' });
});

test('it is not a message', async () => {
  await set('working');
  expect(await readRows(harness.db, 'SELECT 1 FROM messages WHERE space_id = $1', [bot.spaceId])).toEqual([]);
});

describe('refused', () => {
  test('without membership, in archived conversations and for messages of other conversations', async () => {
    const other = await chat.conversation({ members: [asMember(ann)] });
    const { messageId } = await chat.post(other, asMember(ann), 'elsewhere');
    await expect(set('x', { threadId: messageId })).rejects.toMatchObject({
      status: 400,
      code: 'thread_not_found',
    });
    await expect(clear(uuidv7())).rejects.toMatchObject({ status: 400, code: 'thread_not_found' });
    const there = { conversationId: other, threadId: undefined };
    await expect(clearStatus(harness.db, bot, there)).rejects.toMatchObject({
      code: 'bot_not_in_conversation',
    });
    await harness.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    await expect(set('x')).rejects.toMatchObject({ code: 'conversation_archived' });
  });

  const read = bodyReader(SetStatusDto);
  const text = 'is working';
  test.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: ' ' }, 'text'],
    [{ text: 'x'.repeat(101) }, 'text'],
    [{ text: 'two\nlines' }, 'text'],
    [{ text, thread_id: 'x' }, 'thread_id'],
    [{ text, loading_messages: 'x' }, 'loading_messages'],
    [{ text, loading_messages: Array(11).fill('x') }, 'loading_messages'],
    [{ text, loading_messages: [''] }, 'loading_messages'],
    [{ text, loading_messages: ['x'.repeat(51)] }, 'loading_messages'],
    [{ text, loading_messages: [1] }, 'loading_messages'],
  ])('a body %j', (body, field) => {
    expect(() => read(body)).toThrow(expect.objectContaining({ status: 400, field }));
  });

  test('a loading message by its place', () => {
    const refusalOf = (message: unknown): (() => unknown) => {
      return () => read({ text, loading_messages: ['fine', message] });
    };
    expect(refusalOf(1)).toThrow('loading_messages[1] must be a string');
    expect(refusalOf('')).toThrow('loading_messages[1] must be a text of 1 to 50 characters');
  });

  test('nothing at the limits', () => {
    const body = { text: 'x'.repeat(100), loading_messages: Array(10).fill('x'.repeat(50)), thread_id: null };
    expect(read(body)).toMatchObject(body);
  });
});
