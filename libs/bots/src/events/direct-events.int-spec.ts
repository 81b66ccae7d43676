import { runInWorkerTx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { appendDirectEvent } from '../poll/direct-event.js';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsRig } from '../testing/events-rig.js';
import { beforePlanning, queued } from './testing/planning.js';

let rig: EventsRig;

beforeAll(async () => {
  rig = await EventsRig.start();
});
afterAll(() => rig?.close());

/** @returns the event's id */
async function happens(
  { id }: SeededBot,
  eventType: 'button.click' | 'slash.command' = 'button.click',
): Promise<string> {
  const eventId = uuidv7();
  await runInWorkerTx(rig.api.db, (tx) =>
    appendDirectEvent(tx, {
      spaceId: rig.space.spaceId,
      botId: id,
      eventId,
      eventType,
      payload: { action_id: 'ok', data: '' },
    }),
  );
  return eventId;
}

test('direct events are queued for their bot alone, without event_types and whatever channel_ids say', async () => {
  const elsewhere = await rig.channel();
  const [bot, other] = [
    await rig.bot({ event_types: [], channel_ids: [elsewhere] }),
    await rig.bot({ event_types: [] }),
  ];
  const [click, command] = [await happens(bot), await happens(bot, 'slash.command')];
  expect(await queued(rig, bot)).toEqual([
    { eventId: click, type: 'button.click', data: { action_id: 'ok', data: '' } },
    { eventId: command, type: 'slash.command', data: { action_id: 'ok', data: '' } },
  ]);
  expect(await queued(rig, other)).toEqual([]);
});

test('only in mode poll as of the commit: never for a pushed, silent or disabled bot', async () => {
  const [bot, pushed, silent, disabled] = [
    await rig.bot(),
    await rig.pushedBot(),
    await rig.bot({ event_delivery_mode: 'none' }),
    await rig.bot({ is_active: false }),
  ];
  let before = '';
  let again = '';
  await beforePlanning(rig, async () => {
    before = await happens(bot);
    for (const one of [pushed, silent, disabled]) await happens(one);
    await rig.change(bot, { event_delivery_mode: 'none' });
    await happens(bot);
    await rig.change(bot, { event_delivery_mode: 'poll' });
    again = await happens(bot);
  });
  expect((await queued(rig, bot)).map(({ eventId }) => eventId)).toEqual([before, again]);
  for (const one of [pushed, silent, disabled]) expect(await queued(rig, one)).toEqual([]);
  await rig.sent(pushed);
  expect([await rig.deliveries(pushed), pushed.receiver.requests]).toEqual([[], []]);
});
