import { runInWorkerTx } from '@tieline/platform/database';
import { v7 as uuidv7 } from 'uuid';
import { appendDirectEvent } from '../poll/direct-event.js';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';
import { beforePlanning, queued } from './testing/planning.js';

let harness: EventsHarness;

beforeAll(async () => {
  harness = await EventsHarness.start();
});
afterAll(() => harness?.close());

/** @returns the event's id */
async function happens(
  { id }: SeededBot,
  eventType: 'button.click' | 'slash.command' = 'button.click',
): Promise<string> {
  const eventId = uuidv7();
  await runInWorkerTx(harness.api.db, (tx) =>
    appendDirectEvent(tx, {
      spaceId: harness.space.spaceId,
      botId: id,
      eventId,
      eventType,
      payload: { action_id: 'ok', data: '' },
    }),
  );
  return eventId;
}

test('direct events are queued for their bot only, without event_types and whatever channel_ids says', async () => {
  const elsewhere = await harness.channel();
  const [bot, other] = [
    await harness.bot({ event_types: [], channel_ids: [elsewhere] }),
    await harness.bot({ event_types: [] }),
  ];
  const [click, command] = [await happens(bot), await happens(bot, 'slash.command')];
  expect(await queued(harness, bot)).toEqual([
    { eventId: click, type: 'button.click', data: { action_id: 'ok', data: '' } },
    { eventId: command, type: 'slash.command', data: { action_id: 'ok', data: '' } },
  ]);
  expect(await queued(harness, other)).toEqual([]);
});

test('only in mode poll as of the commit: never for a pushed, silent or disabled bot', async () => {
  const [bot, pushed, silent, disabled] = [
    await harness.bot(),
    await harness.pushedBot(),
    await harness.bot({ event_delivery_mode: 'none' }),
    await harness.bot({ is_active: false }),
  ];
  let before = '';
  let again = '';
  await beforePlanning(harness, async () => {
    before = await happens(bot);
    for (const one of [pushed, silent, disabled]) await happens(one);
    await harness.change(bot, { event_delivery_mode: 'none' });
    await happens(bot);
    await harness.change(bot, { event_delivery_mode: 'poll' });
    again = await happens(bot);
  });
  expect((await queued(harness, bot)).map(({ eventId }) => eventId)).toEqual([before, again]);
  for (const one of [pushed, silent, disabled]) expect(await queued(harness, one)).toEqual([]);
  await harness.sent(pushed);
  expect([await harness.deliveries(pushed), pushed.receiver.requests]).toEqual([[], []]);
});
