import type { SeededBot } from '@tieline/bots/testing';
import { DeleteMessage } from '@tieline/conversations';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { SeededPerson } from '@tieline/spaces/testing';
import { eventually, mayIdle, readRows } from '@tieline/testing';
import { InteractiveHarness } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const BUTTONS = {
  type: 'feedback_buttons',
  action_id: 'good',
  positive: { text: 'Good', data: 'up' },
  negative: { text: 'Bad', data: 'down' },
};
const NONE = { positive: 0, negative: 0, mine: 'none' };

let harness: InteractiveHarness;
let bot: SeededBot;
let bob: SeededPerson;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  bot = await harness.polling();
  bob = await harness.fixture.space.person('member', 'Bob');
  const channel = await harness.channel('private', { id: bot.id, type: 'bot' }, { id: bob.id, type: 'user' });
  message = await harness.message(bot, { elements: [BUTTONS], type: 'context_actions', channel });
});
afterAll(() => harness?.close());

const press = (feedback: unknown, as = harness.person, id = message.id) =>
  harness.click(id, { action_id: 'good', feedback, as });
const events = async () => (await harness.directEvents()).filter(({ bot_id }) => bot_id === bot.id);
const shown = async (as = harness.person, id = message.id): Promise<any> =>
  (await harness.api.call('GET', `/api/v1/client/messages/${id}`, { token: as.token })).body.message;
const feedback = async (as?: SeededPerson): Promise<unknown> => (await shown(as)).feedback;

test('a press is a click whose payload has the choice and the data of its button', async () => {
  for (const choice of ['positive', 'negative', 'none'])
    expect((await press(choice)).body).toMatchObject({ ok: true, result: 'queued' });
  expect((await events()).map(({ event_type, payload }) => [event_type, payload])).toEqual(
    [
      ['positive', 'up'],
      ['negative', 'down'],
      ['none', ''],
    ].map(([choice, data]) => [
      'button.click',
      expect.objectContaining({
        event_type: 'button.click',
        action_id: 'good',
        feedback: choice,
        data,
        actor_user_id: harness.person.id,
        message_id: message.id,
      }),
    ]),
  );
});

test('the choice of each person is remembered, counted, changed and withdrawn', async () => {
  expect(await feedback()).toEqual(NONE);
  await press('positive');
  await press('positive', bob);
  expect(await feedback()).toEqual({ positive: 2, negative: 0, mine: 'positive' });
  await press('negative', bob);
  expect(await feedback()).toEqual({ positive: 1, negative: 1, mine: 'positive' });
  expect(await feedback(bob)).toEqual({ positive: 1, negative: 1, mine: 'negative' });
  await press('none', bob);
  expect(await feedback(bob)).toEqual({ positive: 1, negative: 0, mine: 'none' });
  const { body } = await harness.api.call('GET', `/api/v1/channels/${message.channel}/messages`, {
    token: harness.person.token,
  });
  expect(body.messages).toMatchObject([{ feedback: { positive: 1, negative: 0, mine: 'positive' } }]);
});

test('a choice that returns within 60 seconds is sent again, an unchanged one is a duplicate', async () => {
  const results: unknown[] = [];
  for (const choice of ['none', 'positive', 'positive', 'negative', 'positive', 'none', 'none', 'positive'])
    results.push((await press(choice)).body.result);
  expect(results).toEqual([
    ...['duplicate', 'queued', 'duplicate', 'queued'],
    ...['queued', 'queued', 'duplicate', 'queued'],
  ]);
  expect((await events()).map(({ payload }) => payload.feedback)).toEqual([
    'positive',
    'negative',
    'positive',
    'none',
    'positive',
  ]);
});

test('concurrent presses of one button count once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => press('positive')));
  expect(answers.map(({ body }) => body.result).sort()).toEqual([...Array(7).fill('duplicate'), 'queued']);
  expect(await feedback()).toEqual({ positive: 1, negative: 0, mine: 'positive' });
});

test('a choice that the bot did not get is not remembered', async () => {
  const called = await harness.calledBack();
  message = await harness.message(called, { elements: [BUTTONS], type: 'context_actions' });
  harness.receiver.respond(500);
  expect((await press('positive')).status).toBe(503);
  expect(await feedback()).toEqual(NONE);
  harness.receiver.respond(200);
  expect((await press('positive')).body.result).toBe('noop');
  expect(harness.asked.at(-1)).toMatchObject({ feedback: 'positive', data: 'up' });
  expect(await feedback()).toEqual({ positive: 1, negative: 0, mine: 'positive' });
});

describe('a deletion of the message', () => {
  const stored = () =>
    readRows(harness.api.db, 'SELECT 1 FROM message_feedback WHERE message_id = $1', [message.id]);
  const remove = (tx: Tx) =>
    harness.api.app.get(DeleteMessage).in(tx, {
      spaceId: harness.spaceId,
      messageId: message.id,
      actor: { id: bot.id, type: 'bot' },
    });

  test('removes what people think of it', async () => {
    await press('positive');
    await press('negative', bob);
    expect(await stored()).toHaveLength(2);
    expect(await runInWorkerTx(harness.api.db, remove)).toBeUndefined();
    expect(await stored()).toEqual([]);
  });

  test('leaves nothing of a concurrent press', async () => {
    await press('positive');
    let pressing: ReturnType<typeof press> | undefined;
    await runInWorkerTx(harness.api.db, async (tx) => {
      await mayIdle(tx);
      await remove(tx);
      pressing = press('negative', bob);
      const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'
        AND datname = current_database() AND query LIKE '%message_feedback%'`;
      await eventually(async () => expect(await readRows(harness.api.db, waiting)).toHaveLength(1));
    });
    expect((await pressing)?.body.result).toBe('queued');
    expect(await stored()).toEqual([]);
  });
});

test('only people get it, and only with messages that ask for it', async () => {
  const plain = await harness.message(bot, { channel: message.channel });
  expect(await shown(harness.person, plain.id)).not.toHaveProperty('feedback');
  await press('positive');
  const { body } = await harness.api.call('GET', `/api/v1/channels/${message.channel}/messages`, {
    token: bot.token,
  });
  expect(body.messages[0]).not.toHaveProperty('feedback');
});

test('every press counts as a click: the 31st within a minute is 429, whatever it says', async () => {
  const answers = [];
  for (let n = 0; n < 31; n += 1) answers.push((await press(['positive', 'x', undefined][n % 3])).status);
  expect(answers).toEqual([...Array(10).fill([200, 400, 400]).flat(), 429]);
});

describe('refused', () => {
  test.each([undefined, null, '', 'up', 'POSITIVE', 5, true, ['positive'], {}])(
    'the choice %j',
    async (choice) => {
      expect(await press(choice)).toMatchObject({ status: 400, body: { field: 'feedback' } });
      expect(await events()).toEqual([]);
    },
  );

  test('people who are not members, and tokens of other elements', async () => {
    const eve = await harness.fixture.space.person('member', 'Eve');
    expect((await press('positive', eve)).status).toBe(403);
    const icon = { type: 'icon_button', action_id: 'again', icon: 'refresh', text: 'Again', data: 'x' };
    const other = await harness.message(bot, {
      elements: [icon],
      type: 'context_actions',
      channel: message.channel,
    });
    const token = await harness.tokenOf(other.id, 'again');
    const forged = { action_id: 'good', feedback: 'positive', signed_token: token };
    expect((await harness.click(message.id, forged)).status).toBe(410);
    const rows = 'SELECT 1 FROM message_feedback WHERE message_id = $1';
    expect(await readRows(harness.api.db, rows, [message.id])).toEqual([]);
  });

  test('once the message no longer asks for it', async () => {
    await press('positive');
    const token = await harness.tokenOf(message.id, 'good');
    await harness.api.db.query(`UPDATE messages SET metadata_json = '{}' WHERE id = $1`, [message.id]);
    const late = { action_id: 'good', feedback: 'negative', signed_token: token };
    expect(await harness.click(message.id, late)).toMatchObject({
      status: 410,
      body: { code: 'action_gone' },
    });
    expect(await shown()).not.toHaveProperty('feedback');
  });
});

describe('an icon button', () => {
  const icon = { type: 'icon_button', action_id: 'again', icon: 'refresh', text: 'Again', data: 'x' };
  const elementsFor = async ({ token }: { token: string }, id: string): Promise<any[]> => {
    const { body } = await harness.api.call('GET', `/api/v1/channels/${message.channel}/messages`, { token });
    const found = body.messages.find((one: any) => one.id === id);
    return JSON.parse(found.metadata_json).blocks[0].elements;
  };

  test('is a click with its data and without feedback', async () => {
    const { id, channel } = await harness.message(bot, { elements: [icon], type: 'context_actions' });
    expect((await harness.click(id, { action_id: 'again' })).body.result).toBe('queued');
    expect((await harness.click(id, { action_id: 'again' })).body.result).toBe('duplicate');
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event?.payload).toMatchObject({ action_id: 'again', data: 'x', conversation_id: channel });
    expect(event?.payload).not.toHaveProperty('feedback');
  });

  test('is shown only to the people that it names, who do not see each other, and works for them', async () => {
    const named = { ...icon, visible_to: [bob.id.toUpperCase()] };
    const { id } = await harness.message(bot, {
      elements: [named, { ...icon, action_id: 'all' }],
      type: 'context_actions',
      channel: message.channel,
    });
    const seen = await elementsFor(bob, id);
    expect(seen.map(({ action_id: action }) => action)).toEqual(['again', 'all']);
    expect(seen[0]).not.toHaveProperty('visible_to');
    expect(seen[0].signed_token).toEqual(expect.any(String));
    expect((await elementsFor(harness.person, id)).map(({ action_id: action }) => action)).toEqual(['all']);
    const own = await elementsFor(bot, id);
    expect(own[0]).toMatchObject({ visible_to: [bob.id] });
    expect(own[0]).not.toHaveProperty('signed_token');
    expect(await harness.click(id, { action_id: 'again' })).toMatchObject({
      status: 403,
      body: { code: 'action_not_for_you' },
    });
    expect((await harness.click(id, { action_id: 'again', as: bob })).body.result).toBe('queued');
  });
});
