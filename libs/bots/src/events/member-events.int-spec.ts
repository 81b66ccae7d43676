import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';
import { asBot, directOf, join, leave, newChannel, person, queued } from './testing/planning.js';
import type { QueuedEvent } from './testing/planning.js';

const MEMBER_EVENTS = { event_types: ['MEMBER_JOINED', 'MEMBER_LEFT'] };
let telling: EventsHarness;
let silent: EventsHarness;

beforeAll(async () => {
  telling = await EventsHarness.start({ EMIT_MEMBER_EVENTS: 'true' });
  silent = await EventsHarness.start();
});
afterAll(async () => {
  await telling?.close();
  await silent?.close();
});

const heard = async (harness: EventsHarness, bot: SeededBot): Promise<Pick<QueuedEvent, 'type' | 'data'>[]> =>
  (await queued(harness, bot)).map(({ type, data }) => ({ type, data }));
const told = (
  type: string,
  conversation_id: string,
  { id, type: member_type }: { id: string; type: string },
): Pick<QueuedEvent, 'type' | 'data'> => ({
  type,
  data: { conversation_id, member_id: id, member_type } as QueuedEvent['data'],
});

describe('MEMBER_JOINED and MEMBER_LEFT', () => {
  test('report who joins and leaves public channels, including the bot itself', async () => {
    const harness = telling;
    const [bot, other] = [
      await harness.bot(MEMBER_EVENTS),
      await harness.bot({ event_delivery_mode: 'none' }),
    ];
    const channel = await newChannel(harness, true, other);
    await join(harness, bot, channel);
    await leave(harness, other, channel);
    await leave(harness, bot, channel);
    expect(await heard(harness, bot)).toEqual([
      told('MEMBER_JOINED', channel, person(harness.owner.id)),
      told('MEMBER_JOINED', channel, asBot(other)),
      told('MEMBER_JOINED', channel, asBot(bot)),
      told('MEMBER_LEFT', channel, asBot(other)),
      told('MEMBER_LEFT', channel, asBot(bot)),
    ]);
  });

  test('of a private channel reach its members and the member just removed', async () => {
    const harness = telling;
    const [bot, other, stranger] = [
      await harness.bot(MEMBER_EVENTS),
      await harness.bot({ event_delivery_mode: 'none' }),
      await harness.bot(MEMBER_EVENTS),
    ];
    const channel = await newChannel(harness, false);
    await join(harness, bot, channel);
    await join(harness, other, channel);
    await leave(harness, bot, channel);
    await leave(harness, other, channel);
    expect(await heard(harness, bot)).toEqual([
      told('MEMBER_JOINED', channel, asBot(bot)),
      told('MEMBER_JOINED', channel, asBot(other)),
      told('MEMBER_LEFT', channel, asBot(bot)),
    ]);
    expect(await heard(harness, stranger)).toEqual([]);
  });

  test('are not emitted when a direct chat is opened', async () => {
    const bot = await telling.bot(MEMBER_EVENTS);
    await directOf(telling, bot);
    expect(await heard(telling, bot)).toEqual([]);
  });

  test('a push names who added the member', async () => {
    const harness = telling;
    const pushed = await harness.pushedBot(MEMBER_EVENTS);
    const channel = await newChannel(harness, true);
    const joiner = await harness.bot({ event_delivery_mode: 'none' });
    const invited = await harness.api.call('POST', `/api/v1/client/conversations/${channel}/members`, {
      token: harness.owner.token,
      body: { member_id: joiner.id },
    });
    expect(invited.status).toBe(200);
    const request = await pushed.receiver.waitFor(({ body }) => body.includes(joiner.id));
    expect(JSON.parse(String(request.body))).toMatchObject({
      event_type: 'MEMBER_JOINED',
      actor_user_id: harness.owner.id,
      data: { conversation_id: channel, member_id: joiner.id, member_type: 'bot' },
    });
  });

  test('nothing is emitted by default', async () => {
    const bot = await silent.bot(MEMBER_EVENTS);
    await join(silent, bot, await newChannel(silent, true));
    expect(await heard(silent, bot)).toEqual([]);
  });
});
