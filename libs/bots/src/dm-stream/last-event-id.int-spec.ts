import type { EventStreamClient } from '@tieline/testing';
import { DmHarness } from '../testing/dm-harness.js';
import type { DmBot } from '../testing/dm-harness.js';

let harness: DmHarness;
let bot: DmBot;
beforeAll(async () => {
  harness = await DmHarness.start(2, { DM_INBOX_LIMIT: '5' });
});
afterAll(() => harness?.close());
beforeEach(async () => {
  bot = await harness.bot();
});

const texts = ({ events }: EventStreamClient): unknown[] => events.map(({ text }) => text);

/** Returns the stream after it has received this many messages. */
async function taken(stream: EventStreamClient, count: number): Promise<EventStreamClient> {
  await stream.until(({ events }) => events.length >= count);
  return stream;
}

/**
 * Lets the bot receive these messages on one stream, which then closes with its position stored.
 * @returns their ids
 */
async function received(...said: string[]): Promise<string[]> {
  const stream = await harness.api.open(bot.token);
  for (const text of said) await harness.say(bot, text);
  const { ids } = await taken(stream, said.length);
  await harness.got(bot);
  stream.close();
  return ids;
}

/** Returns what a new stream shows, up to and including a message sent now. */
async function shownAfter(lastEventId: string | undefined, api = harness.api): Promise<unknown[]> {
  const stream = await api.open(bot.token, lastEventId);
  await harness.say(bot, 'last');
  await stream.until((opened) => texts(opened).includes('last'));
  stream.close();
  return texts(stream);
}

test('every message has an id, and ids grow', async () => {
  const ids = await received('1', '2', '3');
  expect(ids.map(Number)).toEqual([...ids.map(Number)].sort((a, b) => a - b));
  expect(new Set(ids).size).toBe(3);
});

test('messages lost by a connection are sent again after Last-Event-ID, in any process', async () => {
  const [first] = await received('1', '2', '3');
  expect(await shownAfter(first, harness.apis[1])).toEqual(['2', '3', 'last']);
});

test('the last received message is not repeated, and without the header nothing is', async () => {
  const ids = await received('1', '2');
  expect(await shownAfter(ids[1])).toEqual(['last']);
  await harness.got(bot);
  expect(await shownAfter(undefined)).toEqual(['last']);
});

test('Last-Event-ID replaces a position that is not stored yet', async () => {
  const [, second] = await received('1', '2', '3');
  await harness.db.query('DELETE FROM dm_inbox_positions WHERE bot_id = $1', [bot.id]);
  expect(await shownAfter(second, harness.apis[1])).toEqual(['3', 'last']);
});

test('no more than the kept messages are sent again', async () => {
  await received('1', '2', '3', '4', '5', '6', '7');
  expect(await shownAfter('0')).toEqual(['3', '4', '5', '6', '7', 'last']);
});

test.each(['999999999999999', 'x', '-1', '1.5', '', '1'.repeat(30)])(
  'Last-Event-ID %j hides no waiting message',
  async (id) => {
    await harness.say(bot, 'waits');
    await harness.planned();
    expect(await shownAfter(id)).toEqual(['waits', 'last']);
  },
);

test("another bot's id does not advance the stream", async () => {
  const mine = bot;
  bot = await harness.bot();
  await harness.say(mine, 'waits');
  await harness.planned();
  const [theirs] = await received('theirs');
  bot = mine;
  expect(await shownAfter(theirs)).toEqual(['waits', 'last']);
});
