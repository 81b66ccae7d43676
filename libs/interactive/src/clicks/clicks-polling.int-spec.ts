import type { SeededBot } from '@tieline/bots/testing';
import { InteractiveHarness } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

let harness: InteractiveHarness;
let bot: SeededBot;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  bot = await harness.polling();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

const eventsOfBot = async () => (await harness.directEvents()).filter(({ bot_id }) => bot_id === bot.id);

test("a click goes into the bot's queue with the canonical payload", async () => {
  const { status, body } = await harness.click(message.id);
  expect([status, body]).toEqual([
    200,
    { ok: true, result: 'queued', interaction_id: expect.stringMatching(UUID) },
  ]);
  expect(await eventsOfBot()).toEqual([
    expect.objectContaining({
      event_id: body.interaction_id,
      event_type: 'button.click',
      payload: {
        event_type: 'button.click',
        space_id: harness.spaceId,
        actor_user_id: harness.person.id,
        conversation_id: message.channel,
        message_id: message.id,
        action_id: 'go',
        trigger_id: expect.stringMatching(/^tlt_/),
        data: '{"build":4711}',
        occurred_at: expect.stringMatching(NANO),
        response_token: expect.stringMatching(/^tlr_/),
        response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
        interaction_id: body.interaction_id,
      },
    }),
  ]);
});

test('a selection is queued too, and in a thread it names the root message', async () => {
  const reply = await harness.message(bot, { channel: message.channel, parentMessageId: message.id });
  await harness.click(reply.id, { action_id: 'stage', selected_value: 'live' });
  expect(await eventsOfBot()).toEqual([
    expect.objectContaining({
      event_type: 'select.submit',
      payload: expect.objectContaining({
        event_type: 'select.submit',
        data: '',
        selected_value: 'live',
        thread_id: message.id,
        message_id: reply.id,
      }),
    }),
  ]);
});

test('poll mode takes precedence over a callback, and the mode at the time of the click decides', async () => {
  const called = await harness.calledBack();
  const both = await harness.message(called);
  const setMode = (mode: string) =>
    harness.api.call('PATCH', '/api/v1/bot/me', { token: called.token, body: { event_delivery_mode: mode } });
  await setMode('poll');
  expect((await harness.click(both.id)).body.result).toBe('queued');
  expect(harness.receiver.requests).toEqual([]);
  await harness.api.db.query(
    `UPDATE bots SET event_delivery_mode = 'webhook', webhook_url = 'https://93.184.215.14/' WHERE id = $1`,
    [called.id],
  );
  expect((await harness.click(both.id, { action_id: 'stage', selected_value: 'test' })).body.result).toBe(
    'noop',
  );
  expect(harness.receiver.requests).toHaveLength(1);
});
