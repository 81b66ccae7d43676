import { ClientStreamModule } from '@tieline/live-stream';
import { eventually } from '@tieline/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { InteractiveHarness } from '../../testing/index.js';
import type { SeededMessage } from '../../testing/index.js';

const MODAL = {
  ...{ validate: true, title: 'Deploy', private_metadata: 'ticket 7' },
  fields: [
    { id: 'version', type: 'select', label: 'Version', options_from: 'bot' },
    {
      id: 'stage',
      type: 'multi_select',
      label: 'Stage',
      options: [
        { label: 'Production', value: 'live' },
        { label: 'Staging', value: 'test' },
      ],
    },
    { id: 'reason', type: 'text', label: 'Reason' },
  ],
};
const CHOICES = [{ name: 'Version 1', value: 'v1' }];

let harness: InteractiveHarness;
let message: SeededMessage;
let token: string;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  message = await harness.message(await harness.calledBack());
  token = await harness.forms.opened(message.id, MODAL);
  harness.answers({ choices: CHOICES });
});
afterAll(() => harness?.close());

const suggest = (typed = 'v', field = 'version'): Promise<TestAnswer> =>
  harness.forms.use(token, 'options', { field, typed });
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.choices];

test('the bot is asked for options and receives the typed text', async () => {
  expect((await suggest('v1')).body).toEqual({ ok: true, choices: CHOICES });
  expect(harness.asked).toEqual([
    {
      event_type: 'modal.options',
      action_id: 'go',
      field: 'version',
      typed: 'v1',
      user_id: harness.person.id,
      conversation_id: message.channel,
      space_id: harness.spaceId,
      message_id: message.id,
      private_metadata: 'ticket 7',
      response_token: expect.stringMatching(/^tlr_/),
    },
  ]);
  expect(harness.receiver.requests[0]!.headers['x-service-event']).toBe('modal.options');
});

test('answers are cached for five seconds per person, modal, field and text', async () => {
  const answered = (at: string) => harness.api.db.query(`UPDATE option_requests SET answered_at = ${at}`);
  await suggest('v');
  await answered(`now() + interval '1 minute'`);
  await suggest('v');
  expect(harness.receiver.requests).toHaveLength(1);
  await suggest('v1');
  token = await harness.forms.opened(message.id, MODAL);
  harness.answers({ choices: CHOICES });
  await suggest('v');
  expect(harness.receiver.requests).toHaveLength(1);
  await answered(`now() - interval '5 seconds'`);
  await suggest('v');
  expect(harness.receiver.requests).toHaveLength(2);
});

test('a slow, failing or invalid answer gives no suggestions', async () => {
  const begin = Date.now();
  harness.receiver.respond('hang');
  const slow = await harness.timeouts.during({ callbackMs: undefined }, () => suggest('a'));
  expect(outcome(slow)).toEqual([200, []]);
  // One second, not the minute of other callbacks.
  expect(Date.now() - begin).toBeLessThan(20_000);
  harness.answers({}, 500);
  expect(outcome(await suggest('b'))).toEqual([200, []]);
  harness.answers({ choices: 'v1' });
  expect(outcome(await suggest('c'))).toEqual([200, []]);
});

test('a field with options suggests the matching ones', async () => {
  expect(outcome(await suggest('PROD', 'stage'))).toEqual([200, [{ name: 'Production', value: 'live' }]]);
  expect(outcome(await harness.forms.use(token, 'options', { field: 'stage' }))[1]).toHaveLength(2);
  expect(harness.receiver.requests).toEqual([]);
});

test('400 for a field without options, an unknown field, and fields of a modal without validation', async () => {
  expect(outcome(await suggest('', 'reason'))).toEqual([400, 'invalid_field']);
  expect(outcome(await suggest('', 'other'))).toEqual([400, 'invalid_field']);
  expect((await harness.forms.use(token, 'options', {})).body).toMatchObject({
    code: 'invalid_field',
    field: 'field',
  });
  token = await harness.forms.opened(message.id, { ...MODAL, validate: false });
  expect(outcome(await suggest())).toEqual([400, 'invalid_field']);
});

test('404 for unknown and 410 for used tokens', async () => {
  harness.answers({});
  expect((await harness.submit(token)).status).toBe(200);
  expect(outcome(await suggest())).toEqual([410, 'modal_gone']);
  token = 'x'.repeat(43);
  expect(outcome(await suggest())).toEqual([404, 'modal_not_found']);
});

test('a suggested value can be submitted', async () => {
  await suggest();
  harness.answers({ noop: true });
  expect((await harness.submit(token, { version: 'v1', stage: ['live'] })).body.result).toBe('noop');
});

describe('polling bots', () => {
  let bot: SeededBot;
  beforeEach(async () => {
    bot = await harness.polling();
    message = await harness.message(bot);
    token = await harness.forms.openedByPolling(bot, message.id, MODAL);
  });

  const question = (): Promise<any> =>
    eventually(async () => {
      const mine = (await harness.directEvents()).filter(
        (event) => event.bot_id === bot.id && event.event_type === 'modal.options',
      );
      expect(mine).toHaveLength(1);
      return mine[0]!.payload;
    });

  test('the bot answers with the response token', async () => {
    const waiting = suggest('v');
    const { response_token: responseToken, typed } = await question();
    expect(typed).toBe('v');
    const answer = await harness.api.call('POST', `/api/v1/bot/responses/${responseToken}`, {
      token: bot.token,
      body: { choices: CHOICES },
    });
    expect(answer.status).toBe(200);
    expect(outcome(await waiting)).toEqual([200, CHOICES]);
  });

  test('the request waits at most three seconds', async () => {
    const begin = Date.now();
    const silent = await harness.timeouts.during({ waitMs: undefined }, () => suggest('v'));
    expect(outcome(silent)).toEqual([200, []]);
    expect(Date.now() - begin).toBeGreaterThanOrEqual(2900);
    expect(Date.now() - begin).toBeLessThan(20_000);
  });
});
