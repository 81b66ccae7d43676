import { runInWorkerTx } from '@tieline/platform/database';
import { uuidv7 } from 'uuidv7';
import { appendDirectEvent } from '../poll/direct-event.js';
import type { SeededBot } from '../testing/bots-fixture.js';
import { EventsHarness } from '../testing/events-harness.js';
import { SocketClient } from '../testing/socket-client.js';
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

describe('an event with an envelope', () => {
  const head = {
    conversationId: uuidv7(),
    threadId: '',
    actorUserId: uuidv7(),
    occurredAt: '2026-01-31T09:00:00.123000000Z',
  };

  async function stops({ id }: SeededBot): Promise<string> {
    const eventId = uuidv7();
    await runInWorkerTx(harness.api.db, (tx) =>
      appendDirectEvent(tx, {
        spaceId: harness.space.spaceId,
        botId: id,
        eventId,
        eventType: 'agent_run.stop_requested',
        payload: '{"run_id":"1","sequence":9007199254740993}',
        envelope: head,
      }),
    );
    return eventId;
  }
  const envelopeOf = (eventId: string): string =>
    `{"event_id":"${eventId}","event_type":"agent_run.stop_requested","space_id":"${harness.space.spaceId}",` +
    `"conversation_id":"${head.conversationId}","thread_id":"","actor_user_id":"${head.actorUserId}",` +
    `"occurred_at":"${head.occurredAt}","schema_version":1,"data":{"run_id":"1","sequence":9007199254740993}}`;

  test('is pushed to its bot only, in the envelope, with the bytes of its data', async () => {
    const [bot, other] = [await harness.pushedBot({ event_types: [] }), await harness.pushedBot()];
    const eventId = await stops(bot);
    await harness.sent(bot);
    expect(bot.receiver.requests.map(({ body }) => body.toString())).toEqual([envelopeOf(eventId)]);
    expect(other.receiver.requests).toEqual([]);
  });

  test('is queued for a polling bot without the envelope', async () => {
    const bot = await harness.bot({ event_types: [] });
    const eventId = await stops(bot);
    expect(await harness.queue(bot)).toMatchObject([
      {
        event_id: eventId,
        event_type: 'agent_run.stop_requested',
        payload_json: '{"run_id":"1","sequence":9007199254740993}',
      },
    ]);
  });

  test('is sent over a socket as an event, without waiting for others of its conversation', async () => {
    const bot = await harness.bot({ event_types: ['MESSAGE_CREATED'] });
    const channel = await harness.channel('public', bot);
    const socket = await SocketClient.open(harness.api.url, bot.token);
    await harness.post(channel, 'not acknowledged yet');
    await socket.until(({ envelopes }) => envelopes.length === 1);
    const eventId = await stops(bot);
    await socket.until(({ envelopes }) => envelopes.length === 2);
    expect(socket.envelopes[1]).toMatchObject({
      type: 'event',
      payload: { event_id: eventId, event_type: 'agent_run.stop_requested', data: { run_id: '1' } },
    });
    socket.close();
  });
});
