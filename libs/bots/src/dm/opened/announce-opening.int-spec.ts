import { DmOpenings } from '@tieline/conversations';
import { eventually, readRows } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import type { SeededBot } from '../../testing/bots-fixture.js';
import { EventsHarness } from '../../testing/events-harness.js';
import { SocketClient } from '../../testing/socket-client.js';

let harness: EventsHarness;
let conversationId: string;
let userId: string;

beforeAll(async () => {
  harness = await EventsHarness.start();
});
beforeEach(async () => {
  conversationId = uuidv7();
  userId = (await harness.space.person('member', 'Ann')).id;
});
afterAll(() => harness?.close());

const open = (bot: SeededBot, person = userId): Promise<void> =>
  harness.api.app.get(DmOpenings).announce(harness.api.db, {
    spaceId: harness.space.spaceId,
    conversationId,
    userId: person,
    botIds: [bot.id],
  });
const TOLD = ['DM_OPENED'];
const payloads = async (bot: SeededBot): Promise<any[]> =>
  (await harness.queue(bot)).map(({ payload_json: text }) => JSON.parse(text));
/** Makes all openings this many seconds old. */
const age = (seconds: number): Promise<unknown> =>
  harness.api.db.query(`UPDATE dm_openings SET opened_at = now() - $1::int * interval '1 second'`, [seconds]);

test('a bot that selects the type is told by polling', async () => {
  const bot = await harness.bot({ event_types: TOLD });
  await open(bot);
  expect(await harness.queue(bot)).toMatchObject([{ event_type: 'DM_OPENED' }]);
  expect(await payloads(bot)).toEqual([
    {
      event_type: 'DM_OPENED',
      conversation_id: conversationId,
      user_id: userId,
      opened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    },
  ]);
});

test('it is pushed in the envelope', async () => {
  const bot = await harness.pushedBot({ event_types: TOLD });
  await open(bot);
  await harness.sent(bot);
  const [{ data, ...envelope }, ...more] = bot.receiver.requests.map(({ body }) =>
    JSON.parse(body.toString()),
  );
  expect(more).toEqual([]);
  expect(envelope).toEqual({
    event_id: expect.any(String),
    event_type: 'DM_OPENED',
    space_id: harness.space.spaceId,
    conversation_id: conversationId,
    thread_id: '',
    actor_user_id: userId,
    occurred_at: data.opened_at.replace('Z', '000000Z'),
    schema_version: 1,
  });
  expect(data).toMatchObject({ event_type: 'DM_OPENED', user_id: userId });
});

test('it is sent over a socket as an event', async () => {
  const bot = await harness.bot({ event_types: TOLD });
  const socket = await SocketClient.open(harness.api.url, bot.token);
  await open(bot);
  await socket.until(({ envelopes }) => envelopes.length === 1);
  expect(socket.envelopes[0]).toMatchObject({
    type: 'event',
    payload: { event_type: 'DM_OPENED', data: { conversation_id: conversationId, user_id: userId } },
  });
  socket.close();
});

test('by default, in mode none and when disabled a bot is not told', async () => {
  const bots = [
    await harness.bot({ event_types: [] }),
    await harness.bot({ event_types: ['MESSAGE_CREATED'] }),
    await harness.bot({ event_types: TOLD, event_delivery_mode: 'none' }),
    await harness.bot({ event_types: TOLD, is_active: false }),
  ];
  for (const bot of bots) await open(bot);
  const told = 'SELECT 1 FROM dm_openings WHERE bot_id = ANY ($1)';
  expect(await readRows(harness.api.db, told, [bots.map(({ id }) => id)])).toEqual([]);
  expect(await payloads(bots[1] as SeededBot)).toEqual([]);
});

test('each person causes it at most once a minute, concurrently too', async () => {
  const [bot, other] = [await harness.bot({ event_types: TOLD }), await harness.bot({ event_types: TOLD })];
  const bob = (await harness.space.person('member', 'Bob')).id;
  await Promise.all([open(bot), open(bot), open(bot), open(other)]);
  await open(bot, bob);
  const people = async (): Promise<unknown[]> => (await payloads(bot)).map(({ user_id: id }) => id);
  expect(await people()).toEqual([userId, bob]);
  expect(await payloads(other)).toHaveLength(1);
  await age(50);
  await open(bot);
  expect(await people()).toHaveLength(2);
  await age(61);
  await open(bot);
  await eventually(async () => expect(await people()).toEqual([userId, bob, userId]));
});

test('admins select it, and no unknown type', async () => {
  const select = (event_types: string[]) =>
    harness.admin('POST', '/bots', { display_name: 'x', event_types });
  expect((await select(['DM_OPENED'])).body.bot).toMatchObject({ event_types: ['DM_OPENED'] });
  expect((await select(['DM_CLOSED'])).status).toBe(400);
});
