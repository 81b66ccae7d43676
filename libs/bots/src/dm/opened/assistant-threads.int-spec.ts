import { DmOpenings } from '@tieline/conversations';
import { readRows } from '@tieline/testing';
import type { SeededBot } from '../../testing/bots-fixture.js';
import { EventsHarness } from '../../testing/events-harness.js';

let harness: EventsHarness;
let bot: SeededBot;
let userId: string;
let chat: string;

beforeAll(async () => {
  harness = await EventsHarness.start();
});
beforeEach(async () => {
  bot = await harness.bot({ event_types: ['ASSISTANT_THREAD_STARTED'] });
  userId = (await harness.space.person('member', 'Ann')).id;
  chat = await harness.chat.direct({ id: bot.id, type: 'bot' }, { id: userId, type: 'user' });
});
afterAll(() => harness?.close());

const open = (tab?: 'home'): Promise<void> =>
  harness.api.app.get(DmOpenings).announce(harness.api.db, {
    spaceId: harness.space.spaceId,
    conversationId: chat,
    userId,
    botIds: [bot.id],
    ...(tab && { tab }),
  });
/** Opens the chat again, as if a minute had passed. */
const openLater = async (): Promise<void> => {
  await harness.api.db.query(`UPDATE dm_openings SET opened_at = opened_at - interval '1 minute'`);
  await open();
};
const roots = (): Promise<any[]> =>
  readRows(
    harness.api.db,
    'SELECT id, author_id, text, source_json FROM messages WHERE conversation_id = $1 AND author_id = $2 ORDER BY msg_index',
    [chat, bot.id],
  );
const started = async (): Promise<any[]> =>
  (await harness.queue(bot)).map(({ payload_json: text }) => JSON.parse(text));
const say = (parentMessageId?: string): Promise<unknown> =>
  harness.chat.post(chat, { id: userId, type: 'user' }, 'hi', parentMessageId ? { parentMessageId } : {});

test('opening the chat posts the root message of a thread as the bot and sends the event', async () => {
  await open();
  const [root, ...more] = await roots();
  expect(more).toEqual([]);
  expect(root).toMatchObject({ text: 'New conversation', source_json: null });
  expect(await started()).toEqual([
    {
      event_type: 'ASSISTANT_THREAD_STARTED',
      conversation_id: chat,
      thread_id: root.id,
      user_id: userId,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    },
  ]);
});

test('a thread that no person used is not followed by another', async () => {
  await open();
  const [root] = await roots();
  await harness.chat.post(chat, { id: bot.id, type: 'bot' }, 'Hello!', { parentMessageId: root.id });
  await openLater();
  expect(await roots()).toHaveLength(1);
  expect(await started()).toHaveLength(1);
});

test.each([
  ['a person replied in the last one', async () => say((await roots())[0].id)],
  ['a person wrote below the last one', async () => say()],
  [
    'the last one was deleted',
    async () =>
      harness.api.db.query('UPDATE messages SET deleted_at = now() WHERE id = $1', [(await roots())[0].id]),
  ],
])('the next opening starts a thread after %s', async (_, use) => {
  await open();
  await use();
  await openLater();
  expect(await roots()).toHaveLength(2);
  expect((await started()).map(({ thread_id: id }) => id)).toEqual((await roots()).map(({ id }) => id));
});

test('concurrent openings start one thread', async () => {
  await Promise.all([open(), open(), open()]);
  expect(await roots()).toHaveLength(1);
});

test('neither the home nor a bot without the type starts a thread', async () => {
  await open('home');
  await harness.change(bot, { event_types: ['DM_OPENED'] });
  await open();
  expect(await roots()).toEqual([]);
});

test("the root message of a bot with Slack's format has the subtype that apps expect", async () => {
  await harness.change(bot, { event_format: 'slack' });
  await open();
  const [{ source_json: source }] = await roots();
  expect(JSON.parse(source)).toEqual({ text: 'New conversation', subtype: 'assistant_app_thread' });
});
