import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsRig } from '../testing/events-rig.js';
import { asBot, directOf, join, leave, newChannel, person, queued } from './testing/planning.js';
import type { Queued } from './testing/planning.js';

const MEMBER_EVENTS = { event_types: ['MEMBER_JOINED', 'MEMBER_LEFT'] };
let telling: EventsRig;
let silent: EventsRig;

beforeAll(async () => {
  telling = await EventsRig.start({ EMIT_MEMBER_EVENTS: 'true' });
  silent = await EventsRig.start();
});
afterAll(async () => {
  await telling?.close();
  await silent?.close();
});

const heard = async (rig: EventsRig, bot: SeededBot): Promise<Pick<Queued, 'type' | 'data'>[]> =>
  (await queued(rig, bot)).map(({ type, data }) => ({ type, data }));
const told = (
  type: string,
  conversation_id: string,
  { id, type: member_type }: { id: string; type: string },
): Pick<Queued, 'type' | 'data'> => ({
  type,
  data: { conversation_id, member_id: id, member_type } as Queued['data'],
});

describe('MEMBER_JOINED and MEMBER_LEFT (decisions, section 4)', () => {
  test('tell a bot who comes into and goes out of public channels, itself included', async () => {
    const rig = telling;
    const [bot, other] = [await rig.bot(MEMBER_EVENTS), await rig.bot({ event_delivery_mode: 'none' })];
    const channel = await newChannel(rig, true, other);
    await join(rig, bot, channel);
    await leave(rig, other, channel);
    await leave(rig, bot, channel);
    expect(await heard(rig, bot)).toEqual([
      told('MEMBER_JOINED', channel, person(rig.owner.id)),
      told('MEMBER_JOINED', channel, asBot(other)),
      told('MEMBER_JOINED', channel, asBot(bot)),
      told('MEMBER_LEFT', channel, asBot(other)),
      told('MEMBER_LEFT', channel, asBot(bot)),
    ]);
  });

  test('of a private channel they reach its members only, and whoever was just taken out', async () => {
    const rig = telling;
    const [bot, other, stranger] = [
      await rig.bot(MEMBER_EVENTS),
      await rig.bot({ event_delivery_mode: 'none' }),
      await rig.bot(MEMBER_EVENTS),
    ];
    const channel = await newChannel(rig, false);
    await join(rig, bot, channel);
    await join(rig, other, channel);
    await leave(rig, bot, channel);
    await leave(rig, other, channel);
    expect(await heard(rig, bot)).toEqual([
      told('MEMBER_JOINED', channel, asBot(bot)),
      told('MEMBER_JOINED', channel, asBot(other)),
      told('MEMBER_LEFT', channel, asBot(bot)),
    ]);
    expect(await heard(rig, stranger)).toEqual([]);
  });

  test('a direct chat that is opened is none of them', async () => {
    const bot = await telling.bot(MEMBER_EVENTS);
    await directOf(telling, bot);
    expect(await heard(telling, bot)).toEqual([]);
  });

  test('a push names who brought the member in', async () => {
    const rig = telling;
    const pushed = await rig.pushedBot(MEMBER_EVENTS);
    const channel = await newChannel(rig, true);
    const joiner = await rig.bot({ event_delivery_mode: 'none' });
    const invited = await rig.api.call('POST', `/api/v1/client/conversations/${channel}/members`, {
      token: rig.owner.token,
      body: { member_id: joiner.id },
    });
    expect(invited.status).toBe(200);
    const request = await pushed.receiver.waitFor(({ body }) => body.includes(joiner.id));
    expect(JSON.parse(String(request.body))).toMatchObject({
      event_type: 'MEMBER_JOINED',
      actor_user_id: rig.owner.id,
      data: { conversation_id: channel, member_id: joiner.id, member_type: 'bot' },
    });
  });

  test('nothing is told by default', async () => {
    const bot = await silent.bot(MEMBER_EVENTS);
    await join(silent, bot, await newChannel(silent, true));
    expect(await heard(silent, bot)).toEqual([]);
  });
});
