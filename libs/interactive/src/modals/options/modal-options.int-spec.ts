import { ClientStreamModule } from '@tieline/conversations';
import { eventually } from '@tieline/testing';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { InteractiveRig } from '../../testing/index.js';
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

let rig: InteractiveRig;
let message: SeededMessage;
let token: string;
beforeAll(async () => {
  rig = await InteractiveRig.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  message = await rig.message(await rig.calledBack());
  token = await rig.forms.opened(message.id, MODAL);
  rig.answers({ choices: CHOICES });
});
afterAll(() => rig?.close());

const suggest = (typed = 'v', field = 'version'): Promise<TestAnswer> =>
  rig.forms.use(token, 'options', { field, typed });
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.choices];

test('the bot is asked what can be chosen, and told what was typed', async () => {
  expect((await suggest('v1')).body).toEqual({ ok: true, choices: CHOICES });
  expect(rig.asked).toEqual([
    {
      event_type: 'modal.options',
      action_id: 'go',
      field: 'version',
      typed: 'v1',
      user_id: rig.person.id,
      conversation_id: message.channel,
      space_id: rig.spaceId,
      message_id: message.id,
      private_metadata: 'ticket 7',
      response_token: expect.stringMatching(/^tlr_/),
    },
  ]);
  expect(rig.receiver.requests[0]!.headers['x-service-event']).toBe('modal.options');
});

test('answers are kept for five seconds, by person, modal, field and text', async () => {
  await suggest('v');
  await suggest('v');
  expect(rig.receiver.requests).toHaveLength(1);
  await suggest('v1');
  token = await rig.forms.opened(message.id, MODAL);
  rig.answers({ choices: CHOICES });
  await suggest('v');
  expect(rig.receiver.requests).toHaveLength(1);
  await rig.api.db.query(`UPDATE option_requests SET answered_at = answered_at - interval '5 seconds'`);
  await suggest('v');
  expect(rig.receiver.requests).toHaveLength(2);
});

test('a bot that is slow, fails or answers badly suggests nothing', async () => {
  const begin = Date.now();
  rig.receiver.respond('hang');
  expect(outcome(await suggest('a'))).toEqual([200, []]);
  expect(Date.now() - begin).toBeLessThan(2500);
  rig.answers({}, 500);
  expect(outcome(await suggest('b'))).toEqual([200, []]);
  rig.answers({ choices: 'v1' });
  expect(outcome(await suggest('c'))).toEqual([200, []]);
});

test('of a field with options those that fit', async () => {
  expect(outcome(await suggest('PROD', 'stage'))).toEqual([200, [{ name: 'Production', value: 'live' }]]);
  expect(outcome(await rig.forms.use(token, 'options', { field: 'stage' }))[1]).toHaveLength(2);
  expect(rig.receiver.requests).toEqual([]);
});

test('a field without options, an unknown one, and any of a modal that is not validated: 400', async () => {
  expect(outcome(await suggest('', 'reason'))).toEqual([400, 'invalid_field']);
  expect(outcome(await suggest('', 'other'))).toEqual([400, 'invalid_field']);
  expect((await rig.forms.use(token, 'options', {})).body).toMatchObject({
    code: 'invalid_field',
    field: 'field',
  });
  token = await rig.forms.opened(message.id, { ...MODAL, validate: false });
  expect(outcome(await suggest())).toEqual([400, 'invalid_field']);
});

test('404 unknown, 410 used', async () => {
  rig.answers({});
  expect((await rig.submit(token)).status).toBe(200);
  expect(outcome(await suggest())).toEqual([410, 'modal_gone']);
  token = 'x'.repeat(43);
  expect(outcome(await suggest())).toEqual([404, 'modal_not_found']);
});

test('what was suggested may be submitted', async () => {
  await suggest();
  rig.answers({ noop: true });
  expect((await rig.submit(token, { version: 'v1', stage: ['live'] })).body.result).toBe('noop');
});

describe('of a bot that polls', () => {
  let bot: SeededBot;
  beforeEach(async () => {
    bot = await rig.polling();
    message = await rig.message(bot);
    token = await rig.forms.openedByPolling(bot, message.id, MODAL);
  });

  const question = (): Promise<any> =>
    eventually(async () => {
      const mine = (await rig.directEvents()).filter(
        (event) => event.bot_id === bot.id && event.event_type === 'modal.options',
      );
      expect(mine).toHaveLength(1);
      return mine[0]!.payload;
    });

  test('its answer comes by the response token', async () => {
    const waiting = suggest('v');
    const { response_token: responseToken, typed } = await question();
    expect(typed).toBe('v');
    const answer = await rig.api.call('POST', `/api/v1/bot/responses/${responseToken}`, {
      token: bot.token,
      body: { choices: CHOICES },
    });
    expect(answer.status).toBe(200);
    expect(outcome(await waiting)).toEqual([200, CHOICES]);
  });

  test('nobody waits longer than three seconds', async () => {
    const begin = Date.now();
    expect(outcome(await suggest('v'))).toEqual([200, []]);
    expect(Date.now() - begin).toBeGreaterThanOrEqual(2900);
    expect(Date.now() - begin).toBeLessThan(4500);
  });
});
