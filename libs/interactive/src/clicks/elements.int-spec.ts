import type { TestAnswer } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { BUTTON, InteractiveHarness, SELECT } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

type Fields = Record<string, unknown>;

const OPTIONS = ['a', 'b', 'c'].map((value) => ({ value, label: value.toUpperCase() }));
const one = (type: string, more: Fields = {}) => ({ type, action_id: type, ...more });
const chosen = (type: string, more: Fields = {}) => one(type, { options: OPTIONS, ...more });

let harness: InteractiveHarness;
let bot: CalledBack;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  bot = await harness.calledBack();
});
afterAll(() => harness?.close());

/** Posts a message with this element. @returns the message and how to choose in it */
async function offer(
  element: Fields,
  more: Partial<Parameters<InteractiveHarness['message']>[1]> = {},
): Promise<{ message: SeededMessage; choose: (body: Fields) => Promise<TestAnswer> }> {
  const message = await harness.message(bot, { elements: [element], ...more });
  return { message, choose: (body) => harness.click(message.id, { action_id: element.action_id, ...body }) };
}

const outcome = ({ status, body }: TestAnswer) =>
  status === 200 ? [status, body.result] : [status, body.code, body.field, body.error];
const refused = (field: string, rule: string) => [400, 'invalid_field', field, `${field} ${rule}`];
const told = (): [unknown, unknown][] =>
  harness.asked.map((body) => [body.selected_value, body.selected_values]);

describe('elements with a single value', () => {
  test.each([
    [SELECT, 'live', 'none', 'is not an option'],
    [chosen('radio'), 'b', 'x', 'is not an option'],
    [chosen('overflow'), 'c', '', 'is not an option'],
    [one('date_picker'), '2028-02-29', '2026-02-29', 'must be a valid date, as YYYY-MM-DD'],
    [one('time_picker'), '23:59', '24:00', 'must be a time of day, as HH:MM'],
  ])('%j accepts the value alone or as a list of one', async (element, value, wrong, rule) => {
    const { choose } = await offer(element as Fields);
    expect(outcome(await choose({ selected_value: wrong }))).toEqual(refused('selected_value', rule));
    expect(outcome(await choose({}))).toEqual(refused('selected_value', rule));
    expect(outcome(await choose({ selected_value: [value] }))).toEqual(refused('selected_value', rule));
    expect(outcome(await choose({ selected_values: [wrong] }))).toEqual(refused('selected_values', rule));
    for (const selected_values of [[], [value, value]])
      expect(outcome(await choose({ selected_values }))).toEqual(
        refused('selected_values', 'must have one value'),
      );
    expect(outcome(await choose({ selected_values: value }))).toEqual(
      refused('selected_values', 'must be a list'),
    );
    expect(harness.asked).toEqual([]);
    expect(outcome(await choose({ selected_value: value, selected_values: null }))).toEqual([200, 'noop']);
    expect(outcome(await choose({ selected_values: [value] }))).toEqual([200, 'duplicate']);
    expect(harness.asked).toMatchObject([
      { event_type: 'select.submit', data: '', selected_value: value, selected_values: [value] },
    ]);
  });

  test('both fields may be sent if they agree', async () => {
    const { choose } = await offer(chosen('radio'));
    expect(outcome(await choose({ selected_value: 'a', selected_values: ['b'] }))).toEqual(
      refused('selected_value', 'is not the first of selected_values'),
    );
    expect(outcome(await choose({ selected_value: 'b', selected_values: ['b'] }))).toEqual([200, 'noop']);
  });
});

describe.each(['multi_select', 'checkboxes'])('%s', (type) => {
  test('accepts several values in the given order, or none', async () => {
    const { choose } = await offer(chosen(type));
    for (const selected_values of [['c', 'a'], ['b'], []])
      expect(outcome(await choose({ selected_values }))).toEqual([200, 'noop']);
    expect(told()).toEqual([
      ['c', ['c', 'a']],
      ['b', ['b']],
      ['', []],
    ]);
  });

  test('the same values in any order are a duplicate, other values are not', async () => {
    const { choose } = await offer(chosen(type));
    const results: unknown[] = [];
    for (const selected_values of [['a', 'b'], ['b', 'a'], ['a', 'c'], ['a'], [], ['a'], []])
      results.push((await choose({ selected_values })).body.result);
    expect(results).toEqual(['noop', 'duplicate', 'noop', 'noop', 'noop', 'duplicate', 'duplicate']);
    expect(harness.asked).toHaveLength(4);
  });

  test('refuses values that are not options', async () => {
    const { choose } = await offer(chosen(type, { min_selected: 1, max_selected: 2 }));
    for (const [selected_values, rule] of [
      [['a', 'x'], 'is not an option'],
      [['a', 7], 'is not an option'],
      [['a', 'a'], 'contains a value twice'],
      [[], 'must have 1 to 2 values'],
      [['a', 'b', 'c'], 'must have 1 to 2 values'],
      [undefined, 'must be a list'],
      ['a', 'must be a list'],
    ] as const)
      expect(outcome(await choose({ selected_values }))).toEqual(refused('selected_values', rule));
    expect(outcome(await choose({ selected_value: 'a' }))).toEqual(
      refused('selected_values', 'must be a list'),
    );
    expect(harness.asked).toEqual([]);
    expect(outcome(await choose({ selected_values: ['a', 'b'] }))).toEqual([200, 'noop']);
  });
});

test('a person must be active in the space', async () => {
  const { choose } = await offer(one('user_select'));
  const ben = await harness.fixture.space.person('member', 'Ben');
  const gone = await harness.fixture.space.person('member', 'Eve');
  await harness.api.db.query('UPDATE users SET is_active = false WHERE id = $1', [gone.id]);
  const stranger = await (await harness.otherSpace()).fixture.space.person('member');
  for (const selected_value of [gone.id, stranger.id, bot.id, uuidv7(), 'ben', undefined])
    expect(outcome(await choose({ selected_value }))).toEqual(
      refused('selected_value', 'must be a person in this space'),
    );
  expect(harness.asked).toEqual([]);
  expect(outcome(await choose({ selected_value: ben.id.toUpperCase() }))).toEqual([200, 'noop']);
  expect(told()).toEqual([[ben.id, [ben.id]]]);
});

test('a conversation must be readable for the person', async () => {
  const { choose, message } = await offer(one('conversation_select'));
  const [open, secret] = [
    await harness.fixture.chat.conversation({ scope: 'public' }),
    await harness.fixture.chat.conversation({ scope: 'private' }),
  ];
  const elsewhere = await (await harness.otherSpace()).channel('public');
  for (const selected_value of [secret, elsewhere, uuidv7(), 'general', undefined])
    expect(outcome(await choose({ selected_value }))).toEqual(
      refused('selected_value', 'must be a conversation you can read'),
    );
  expect(harness.asked).toEqual([]);
  for (const selected_value of [open.toUpperCase(), message.channel])
    expect(outcome(await choose({ selected_value }))).toEqual([200, 'noop']);
  expect(told().map(([first]) => first)).toEqual([open, message.channel]);
});

describe('wherever the message is', () => {
  test('in a thread the root message is named', async () => {
    const root = await harness.message(bot);
    const more = { channel: root.channel, parentMessageId: root.id };
    const { choose } = await offer(chosen('checkboxes'), more);
    expect(outcome(await choose({ selected_values: ['a', 'b'] }))).toEqual([200, 'noop']);
    expect(harness.asked).toMatchObject([{ thread_id: root.id, selected_values: ['a', 'b'] }]);
  });

  test('in a direct chat', async () => {
    const person = { id: harness.person.id, type: 'user' as const };
    const channel = await harness.fixture.chat.direct(person, { id: bot.id, type: 'bot' });
    const { choose } = await offer(one('date_picker'), { channel });
    expect(outcome(await choose({ selected_value: '2026-12-01' }))).toEqual([200, 'noop']);
    expect(harness.asked).toMatchObject([{ conversation_id: channel, selected_values: ['2026-12-01'] }]);
  });

  test('in poll mode the fields are the same, and the bot can answer', async () => {
    const polling = await harness.polling();
    const message = await harness.message(polling, { elements: [chosen('multi_select')] });
    const { body } = await harness.click(message.id, {
      action_id: 'multi_select',
      selected_values: ['b', 'a'],
    });
    expect(body).toMatchObject({ ok: true, result: 'queued' });
    const events = (await harness.directEvents()).filter(({ bot_id: id }) => id === polling.id);
    expect(events).toMatchObject([
      {
        event_type: 'select.submit',
        payload: { selected_value: 'b', selected_values: ['b', 'a'], interaction_id: body.interaction_id },
      },
    ]);
    const answer = await harness.respond(polling, body.interaction_id, {
      update_message: { text: 'b and a' },
    });
    expect(answer.status).toBe(200);
    expect(await harness.stored(message.id)).toMatchObject({ text: 'b and a' });
  });
});

test('clicks on links are validated but not sent to the bot', async () => {
  const { message, choose } = await offer({ ...BUTTON, url: 'https://example.com/builds/4711' });
  for (let n = 0; n < 2; n += 1) expect((await choose({})).body).toEqual({ ok: true, result: 'noop' });
  expect((await choose({ signed_token: 'x' })).status).toBe(410);
  const polled = await harness.message(await harness.polling(), {
    elements: [{ ...BUTTON, url: 'https://example.com' }],
  });
  expect((await harness.click(polled.id)).body).toEqual({ ok: true, result: 'noop' });
  expect(harness.asked).toEqual([]);
  expect((await harness.directEvents()).filter(({ bot_id: id }) => id === polled.bot.id)).toEqual([]);
  const [button] = JSON.parse((await harness.stored(message.id))!.metadata_json).blocks[0].elements;
  expect(button).toMatchObject({ url: 'https://example.com/builds/4711', signed_token: expect.any(String) });
});
