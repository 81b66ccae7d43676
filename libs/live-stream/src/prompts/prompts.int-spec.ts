import { BotDirectory } from '@tieline/conversations';
import { ChatFixture, supply } from '@tieline/conversations/testing';
import type { Member } from '@tieline/conversations/testing';
import { bodyReader } from '@tieline/platform/http';
import type { BotPrincipal, UserPrincipal } from '@tieline/platform/http';
import { seedSpace } from '@tieline/spaces/testing';
import type { SeededPerson, SeededSpace } from '@tieline/spaces/testing';
import { EventStreamClient, eventually, readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { LiveHarness } from '../testing/live-harness.js';
import { promptsView } from './bot-prompts.js';
import { PromptsQuery, SetPromptsDto } from './dto/prompts.dto.js';
import { listPrompts, MAX_AT_OPENING } from './prompts.queries.js';
import { MAX_THREADS, setPrompts } from './set-prompts.js';

type Prompts = Record<string, unknown>;

const disabled = new Set<string>();
const bots: BotDirectory = { findActive: async (_, __, ids) => ids.filter((id) => !disabled.has(id)) };

let harness: LiveHarness;
let space: SeededSpace;
let chat: ChatFixture;
let ann: SeededPerson;
let bot: BotPrincipal;
let channel: string;
const open: EventStreamClient[] = [];

beforeAll(async () => {
  const known = supply({ provide: BotDirectory, useValue: bots });
  harness = await LiveHarness.start(2, {}, known);
});
afterAll(() => harness?.close());
beforeEach(async () => {
  space = await seedSpace(harness.db);
  chat = new ChatFixture(harness.db, space.spaceId);
  ann = await space.person('member', 'Ann');
  bot = robot();
  channel = await chat.conversation({ scope: 'private', members: [asMember(ann), memberOf(bot)] });
});
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

const robot = (): BotPrincipal => ({
  kind: 'bot',
  botId: uuidv7(),
  spaceId: space.spaceId,
  channelIds: [],
  scopes: 'all',
});
const asMember = ({ id }: SeededPerson): Member => ({ id, type: 'user' });
const memberOf = ({ botId }: BotPrincipal): Member => ({ id: botId, type: 'bot' });
const prompt = (title: string): { title: string; message: string } => ({ title, message: `${title}?` });

interface Where {
  title?: string;
  threadId?: string;
  conversationId?: string;
  by?: BotPrincipal;
}
const set = (
  titles: string[],
  { title, threadId, conversationId = channel, by = bot }: Where = {},
): Promise<void> =>
  setPrompts(harness.db, by, { conversationId, threadId, title: title ?? null, prompts: titles.map(prompt) });

/** Reads the prompts as a person. */
async function read(threadId?: string, conversationId = channel): Promise<Prompts[]> {
  const person: UserPrincipal = {
    kind: 'user',
    userId: ann.id,
    spaceId: space.spaceId,
    role: 'member',
    scopes: 'all',
  };
  return (await listPrompts(harness.db, bots, person, { conversationId, threadId })).map((row) => ({
    ...promptsView(row),
  }));
}
/** @returns the titles of the prompts of each bot */
const shown = async (threadId?: string, id?: string): Promise<string[][]> =>
  (await read(threadId, id)).map(titlesOf);
const titlesOf = ({ prompts }: Prompts): string[] => (prompts as Prompts[]).map(({ title }) => String(title));

async function listen(api = harness.api): Promise<EventStreamClient> {
  const stream = await api.open(ann.token);
  open.push(stream);
  return stream;
}
const events = ({ events: all }: EventStreamClient): Prompts[] =>
  all.filter(({ event }) => event === 'bot.prompts');
/** Posts a message that arrives after everything before. */
async function settled(stream: EventStreamClient): Promise<void> {
  const { messageId } = await chat.post(channel, asMember(ann), 'and now?');
  await stream.until(({ events: all }) => all.some(({ message_id: id }) => id === messageId));
}

test('people read them, and members see them on streams of every process', async () => {
  const streams = [await listen(), await listen(harness.apis[1])];
  await set(['Status', 'Bugs'], { title: 'Ask' });
  const view = {
    conversation_id: channel,
    bot_id: bot.botId,
    title: 'Ask',
    prompts: [prompt('Status'), prompt('Bugs')],
    updated_at: expect.stringMatching(/^\d{4}-.*Z$/),
  };
  expect(await read()).toEqual([view]);
  for (const stream of streams) {
    await stream.until(() => events(stream).length > 0);
    expect(events(stream)).toEqual([{ event: 'bot.prompts', ...view }]);
  }
});

test('setting replaces those of the bot in the place, and an empty list removes them', async () => {
  const stream = await listen();
  const other = robot();
  await harness.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'bot')`,
    [space.spaceId, channel, other.botId],
  );
  await set(['first'], { title: 'Ask' });
  await set(['of another bot'], { by: other });
  await set(['second']);
  expect(await read()).toMatchObject([
    { bot_id: bot.botId, prompts: [{ title: 'second' }] },
    { bot_id: other.botId },
  ]);
  expect((await read())[0]).not.toHaveProperty('title');
  await set([]);
  await set([]);
  expect(await shown()).toEqual([['of another bot']]);
  await settled(stream);
  expect(events(stream).map(titlesOf)).toEqual([['first'], ['of another bot'], ['second'], []]);
  expect(await readRows(harness.db, 'SELECT 1 FROM bot_prompts WHERE bot_id = $1', [bot.botId])).toEqual([]);
});

test('a thread has its own, before its first reply, by its root, a reply or its id', async () => {
  const { messageId: root } = await chat.post(channel, asMember(ann), 'question');
  await set(['in the channel']);
  await set(['in the thread'], { threadId: root });
  const reply = await chat.post(channel, asMember(ann), 'more', { parentMessageId: root });
  expect(await shown()).toEqual([['in the channel']]);
  for (const id of [root, reply.messageId]) expect(await shown(id)).toEqual([['in the thread']]);
  expect(await shown(undefined, reply.conversationId)).toEqual([['in the thread']]);
  expect(await read(root)).toMatchObject([{ conversation_id: channel, thread_id: root }]);
});

test('those of a disabled bot, or of one that has left, are not shown', async () => {
  const first = await listen();
  await set(['hello']);
  await settled(first);
  disabled.add(bot.botId);
  expect(await shown()).toEqual([]);
  const stream = await listen();
  await settled(stream);
  expect(events(stream)).toEqual([]);
  disabled.delete(bot.botId);
  expect(await shown()).toEqual([['hello']]);
  await harness.db.query('DELETE FROM conversation_members WHERE member_id = $1', [bot.botId]);
  expect(await shown()).toEqual([]);
});

test('those of a bot that leaves are removed, and do not return with it', async () => {
  const joined = `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type)
    VALUES ($1, $2, $3, 'bot')`;
  const { messageId: root } = await chat.post(channel, asMember(ann), 'root');
  await set(['hello']);
  await set(['in the thread'], { threadId: root });
  await harness.db.query('DELETE FROM conversation_members WHERE member_id = $1', [bot.botId]);
  await harness.db.query(joined, [space.spaceId, channel, bot.botId]);
  expect([await shown(), await shown(root)]).toEqual([[], []]);
});

test('a bot that leaves while it sets prompts is refused', async () => {
  const locker = await harness.db.pool.connect();
  await locker.query('BEGIN');
  await locker.query('DELETE FROM conversation_members WHERE member_id = $1', [bot.botId]);
  const setting = set(['hello']).catch((error: unknown) => error);
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
    AND datname = current_database() AND query LIKE '%INSERT INTO bot_prompts%'`;
  await eventually(async () => expect(await readRows(harness.db, waiting)).toHaveLength(1));
  await locker.query('COMMIT');
  locker.release();
  expect(await setting).toMatchObject({ status: 403 });
});

describe('a stream that opens', () => {
  test('receives the current ones of the conversations of the person', async () => {
    const other = await chat.conversation({ members: [memberOf(bot)] });
    const before = await listen();
    await set(['hidden'], { conversationId: other });
    await set(['first']);
    await set(['second']);
    await settled(before);
    const stream = await listen();
    await settled(stream);
    expect(events(stream).map(titlesOf)).toEqual([['second']]);
  });

  test('receives what arrives while it reads the current ones after them', async () => {
    const first = await listen();
    await set(['before']);
    await first.until(() => events(first).length === 1);
    const locker = await harness.db.pool.connect();
    await locker.query('BEGIN; LOCK TABLE bot_prompts IN ACCESS EXCLUSIVE MODE');
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
      AND datname = current_database() AND query LIKE '%bot_prompts%'`;
    const opening = listen();
    await eventually(async () => expect(await readRows(harness.db, waiting)).not.toEqual([]));
    const { messageId } = await chat.post(channel, asMember(ann), 'while it opens');
    await first.until(({ events: all }) => all.some(({ message_id: id }) => id === messageId));
    await locker.query('COMMIT');
    locker.release();
    const late = await opening;
    await late.until(({ events: all }) => all.some(({ message_id: id }) => id === messageId));
    expect(late.events.map(({ event }) => event)).toEqual(['bot.prompts', 'message.new']);
  });

  test('receives the latest ones up to the limit', async () => {
    const before = await listen();
    await fillThreads(MAX_AT_OPENING);
    await set(['latest']);
    await settled(before);
    const stream = await listen();
    await settled(stream);
    expect(events(stream)).toHaveLength(MAX_AT_OPENING);
    expect(titlesOf(events(stream)[0] as Prompts)).toEqual(['latest']);
  });
});

/** Stores prompts of the bot in this many threads. */
async function fillThreads(count: number): Promise<void> {
  await harness.db.query(
    `INSERT INTO bot_prompts (space_id, place_id, bot_id, channel_id, prompts, updated_at)
     SELECT $1, gen_random_uuid(), $2, $3, '[{"title":"old","message":"old"}]', now() - n * interval '1 second'
       FROM generate_series(1, $4::int) n`,
    [space.spaceId, bot.botId, channel, count],
  );
}

test('a bot keeps those of its latest threads in a conversation, and those of the conversation', async () => {
  const first = await listen();
  await set(['of the conversation']);
  await settled(first);
  await harness.db.query(`UPDATE bot_prompts SET updated_at = '2000-01-01' WHERE bot_id = $1`, [bot.botId]);
  await fillThreads(MAX_THREADS);
  const stream = await listen();
  const { messageId: root } = await chat.post(channel, asMember(ann), 'one more');
  await settled(stream);
  const before = events(stream).length;
  await set(['of the new thread'], { threadId: root });
  expect(await shown(root)).toEqual([['of the new thread']]);
  expect(await shown()).toEqual([['of the conversation']]);
  const stored = 'SELECT 1 FROM bot_prompts WHERE bot_id = $1';
  expect(await readRows(harness.db, stored, [bot.botId])).toHaveLength(MAX_THREADS + 1);
  await settled(stream);
  expect(events(stream).slice(before).map(titlesOf)).toEqual([['of the new thread'], []]);
});

test('it is not a message', async () => {
  await set(['hello']);
  expect(await readRows(harness.db, 'SELECT 1 FROM messages WHERE space_id = $1', [space.spaceId])).toEqual(
    [],
  );
});

describe('refused', () => {
  test('for bots: without membership, in archived conversations and for messages of other conversations', async () => {
    const other = await chat.conversation({ members: [asMember(ann)] });
    const { messageId } = await chat.post(other, asMember(ann), 'elsewhere');
    const notFound = { status: 400, code: 'thread_not_found' };
    await expect(set(['x'], { threadId: messageId })).rejects.toMatchObject(notFound);
    await expect(set(['x'], { conversationId: other })).rejects.toMatchObject({
      code: 'bot_not_in_conversation',
    });
    await harness.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
    await expect(set([])).rejects.toMatchObject({ code: 'conversation_archived' });
  });

  test('for people: conversations that they may not read, and unknown threads', async () => {
    const closed = await chat.conversation({ scope: 'private', members: [memberOf(bot)] });
    const foreign = await new ChatFixture(harness.db, (await seedSpace(harness.db)).spaceId).conversation();
    await expect(read(undefined, closed)).rejects.toMatchObject({ status: 403 });
    for (const id of [foreign, uuidv7()])
      await expect(read(undefined, id)).rejects.toMatchObject({ status: 404 });
    await expect(read(uuidv7())).rejects.toMatchObject({ status: 400, code: 'thread_not_found' });
    const query = bodyReader(PromptsQuery);
    expect(query({ thread_id: '' })).toMatchObject({ thread_id: '' });
    expect(() => query({ thread_id: 'x' })).toThrow(expect.objectContaining({ field: 'thread_id' }));
  });

  const dto = bodyReader(SetPromptsDto);
  const prompts = [prompt('ok')];
  const message = 'hello';
  test.each([
    [{}, 'prompts'],
    [{ prompts: null }, 'prompts'],
    [{ prompts: {} }, 'prompts'],
    [{ prompts: Array(5).fill(prompt('x')) }, 'prompts'],
    [{ prompts: ['x'] }, 'prompts[0]'],
    [{ prompts: [null] }, 'prompts[0]'],
    [{ prompts: [{ message }] }, 'prompts[0].title'],
    [{ prompts: [{ message, title: '' }] }, 'prompts[0].title'],
    [{ prompts: [{ message, title: ' ' }] }, 'prompts[0].title'],
    [{ prompts: [{ message, title: 5 }] }, 'prompts[0].title'],
    [{ prompts: [{ message, title: 'two\nlines' }] }, 'prompts[0].title'],
    [{ prompts: [{ message, title: 'x'.repeat(76) }] }, 'prompts[0].title'],
    [{ prompts: [prompt('ok'), { title: 'x' }] }, 'prompts[1].message'],
    [{ prompts: [{ title: 'x', message: '' }] }, 'prompts[0].message'],
    [{ prompts: [{ title: 'x', message: ' \n' }] }, 'prompts[0].message'],
    [{ prompts: [{ title: 'x', message: {} }] }, 'prompts[0].message'],
    [{ prompts: [{ title: 'x', message: 'a\0b' }] }, 'prompts[0].message'],
    [{ prompts: [{ title: 'x', message: 'x'.repeat(2001) }] }, 'prompts[0].message'],
    [{ prompts, title: '' }, 'title'],
    [{ prompts, title: 5 }, 'title'],
    [{ prompts, title: 'two\nlines' }, 'title'],
    [{ prompts, title: 'x'.repeat(101) }, 'title'],
    [{ prompts, thread_id: 'x' }, 'thread_id'],
    [{ prompts, thread_id: 5 }, 'thread_id'],
  ])('a body %j', (body, field) => {
    expect(() => dto(body)).toThrow(expect.objectContaining({ status: 400, field }));
    expect(() => dto(body)).not.toThrow(/\$/);
  });

  test('nothing at the limits', () => {
    const longest = { title: 'x'.repeat(75), message: '🙂'.repeat(2000) };
    const body = { title: 'x'.repeat(100), prompts: Array(4).fill(longest), thread_id: null };
    expect(dto(body)).toMatchObject(body);
    expect(dto({ title: null, prompts: [] })).toMatchObject({ title: null, prompts: [] });
  });
});
