import type { EventStreamClient } from '@tieline/testing';
import { DmRig } from '../testing/dm-rig.js';
import type { DmBot } from '../testing/dm-rig.js';

let rig: DmRig;
let bot: DmBot;
beforeAll(async () => {
  rig = await DmRig.start(2, { DM_INBOX_LIMIT: '5' });
});
afterAll(() => rig?.close());
beforeEach(async () => {
  bot = await rig.bot();
});

const texts = ({ events }: EventStreamClient): unknown[] => events.map(({ text }) => text);

/** The stream once it has shown so many messages. */
async function taken(stream: EventStreamClient, count: number): Promise<EventStreamClient> {
  await stream.until(({ events }) => events.length >= count);
  return stream;
}

/** The bot gets these on one stream, leaves, and all is stored. @returns their ids */
async function received(...said: string[]): Promise<string[]> {
  const stream = await rig.api.open(bot.token);
  for (const text of said) await rig.say(bot, text);
  const { ids } = await taken(stream, said.length);
  await rig.got(bot);
  stream.close();
  return ids;
}

/** What a new stream shows up to and with a message that is sent now. */
async function shownAfter(lastEventId: string | undefined, api = rig.api): Promise<unknown[]> {
  const stream = await api.open(bot.token, lastEventId);
  await rig.say(bot, 'last');
  await stream.until((opened) => texts(opened).includes('last'));
  stream.close();
  return texts(stream);
}

test('every message has an id, and they grow', async () => {
  const ids = await received('1', '2', '3');
  expect(ids.map(Number)).toEqual([...ids.map(Number)].sort((a, b) => a - b));
  expect(new Set(ids).size).toBe(3);
});

test('what the connection lost comes again after Last-Event-ID, in any process', async () => {
  const [first] = await received('1', '2', '3');
  expect(await shownAfter(first, rig.apis[1])).toEqual(['2', '3', 'last']);
});

test('the last one that came is not repeated, and without the header nothing is', async () => {
  const ids = await received('1', '2');
  expect(await shownAfter(ids[1])).toEqual(['last']);
  await rig.got(bot);
  expect(await shownAfter(undefined)).toEqual(['last']);
});

test('a position that is not stored yet is made up for by the reader', async () => {
  const [, second] = await received('1', '2', '3');
  await rig.db.query('DELETE FROM dm_inbox_positions WHERE bot_id = $1', [bot.id]);
  expect(await shownAfter(second, rig.apis[1])).toEqual(['3', 'last']);
});

test('not more than what is kept comes again', async () => {
  await received('1', '2', '3', '4', '5', '6', '7');
  expect(await shownAfter('0')).toEqual(['3', '4', '5', '6', '7', 'last']);
});

test.each(['999999999999999', 'x', '-1', '1.5', '', '1'.repeat(30)])(
  'Last-Event-ID %j hides nothing that waits',
  async (id) => {
    await rig.say(bot, 'waits');
    await rig.planned();
    expect(await shownAfter(id)).toEqual(['waits', 'last']);
  },
);

test("another bot's id leads nowhere further", async () => {
  const mine = bot;
  bot = await rig.bot();
  await rig.say(mine, 'waits');
  await rig.planned();
  const [theirs] = await received('theirs');
  bot = mine;
  expect(await shownAfter(theirs)).toEqual(['waits', 'last']);
});
