import { slackId } from '../ids/slack-ids.js';
import { readValue } from './element-values.js';
import type { Json } from './rules.js';
import { readState } from './state.js';

const plain = (text: string): Json => ({ type: 'plain_text', text });
const option = (value: string): Json => ({ text: plain(`the ${value}`), value });
const options = [option('a'), option('b')];
const ANN = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const value = (element: Json, given: unknown): Json => readValue(element, given, 'value');

test.each<[Json, Json, Json]>([
  [{ type: 'button' }, { value: 'forged' }, {}],
  [
    { type: 'static_select', options },
    { selected_option: { value: 'b', text: 'forged' } },
    { selected_option: option('b') },
  ],
  [
    { type: 'static_select', option_groups: [{ options }] },
    { selected_option: { value: 'a' } },
    { selected_option: option('a') },
  ],
  [{ type: 'static_select', options, initial_option: option('a') }, {}, { selected_option: option('a') }],
  [
    { type: 'static_select', options, initial_option: option('a') },
    { selected_option: null },
    { selected_option: null },
  ],
  [
    { type: 'checkboxes', options },
    { selected_options: [{ value: 'b' }] },
    { selected_options: [option('b')] },
  ],
  [
    { type: 'external_select' },
    { selected_option: { ...option('x'), extra: 1 } },
    { selected_option: option('x') },
  ],
  [{ type: 'users_select' }, { selected_user: slackId('user', ANN) }, { selected_user: ANN }],
  [{ type: 'multi_users_select' }, { selected_users: [ANN.toUpperCase()] }, { selected_users: [ANN] }],
  [
    { type: 'conversations_select' },
    { selected_conversation: slackId('direct', ANN) },
    { selected_conversation: ANN },
  ],
  [{ type: 'channels_select' }, {}, { selected_channel: null }],
  [{ type: 'datepicker' }, { selected_date: '2026-11-27' }, { selected_date: '2026-11-27' }],
  [{ type: 'timepicker' }, { selected_time: '09:30' }, { selected_time: '09:30' }],
  [{ type: 'datetimepicker' }, { selected_date_time: 1764200000 }, { selected_date_time: 1764200000 }],
  [{ type: 'plain_text_input', max_length: 3 }, { value: 'abc' }, { value: 'abc' }],
  [{ type: 'plain_text_input', initial_value: 'x' }, {}, { value: 'x' }],
  [{ type: 'number_input', is_decimal_allowed: true, max_value: '3' }, { value: '2.5' }, { value: '2.5' }],
  [{ type: 'email_text_input' }, { value: 'a@b.test' }, { value: 'a@b.test' }],
  [{ type: 'url_text_input' }, { value: 'https://b.test' }, { value: 'https://b.test' }],
  [
    { type: 'rich_text_input' },
    { rich_text_value: { type: 'rich_text', elements: [{}] } },
    { rich_text_value: { type: 'rich_text', elements: [{}] } },
  ],
  [{ type: 'file_input' }, { files: [slackId('file', ANN)] }, { files: [ANN] }],
  [
    { type: 'feedback_buttons', positive_button: { value: 'good' }, negative_button: { value: 'bad' } },
    { value: 'bad' },
    { value: 'bad' },
  ],
])('%j reads %j', (element, given, expected) => {
  expect(value(element, given)).toEqual(expected);
});

test.each<[string, Json, unknown]>([
  ['a foreign option', { type: 'static_select', options }, { selected_option: { value: 'c' } }],
  ['an option that is a text', { type: 'radio_buttons', options }, { selected_option: 'a' }],
  [
    'too many options',
    { type: 'multi_static_select', options, max_selected_items: 1 },
    { selected_options: options },
  ],
  ['options that are no list', { type: 'checkboxes', options }, { selected_options: 'a' }],
  ['a suggestion without a text', { type: 'external_select' }, { selected_option: { value: 'x' } }],
  ['a long suggestion', { type: 'external_select' }, { selected_option: option('x'.repeat(151)) }],
  ['a channel as a person', { type: 'users_select' }, { selected_user: slackId('publicChannel', ANN) }],
  ['101 people', { type: 'multi_users_select' }, { selected_users: Array(101).fill(ANN) }],
  ['a day that does not exist', { type: 'datepicker' }, { selected_date: '2026-02-30' }],
  ['a wrong time', { type: 'timepicker' }, { selected_time: '25:00' }],
  ['a moment that is a text', { type: 'datetimepicker' }, { selected_date_time: '1764200000' }],
  ['a long text', { type: 'plain_text_input', max_length: 3 }, { value: 'abcd' }],
  ['a NUL character', { type: 'plain_text_input' }, { value: 'a\0' }],
  ['a decimal', { type: 'number_input', is_decimal_allowed: false }, { value: '2.5' }],
  ['a small number', { type: 'number_input', is_decimal_allowed: false, min_value: '3' }, { value: '2' }],
  ['no address', { type: 'email_text_input' }, { value: 'nobody' }],
  ['another scheme', { type: 'url_text_input' }, { value: 'javascript:1' }],
  [
    'rich text of another type',
    { type: 'rich_text_input' },
    { rich_text_value: { type: 'section', elements: [] } },
  ],
  ['11 files', { type: 'file_input' }, { files: Array(11).fill(ANN) }],
  [
    'feedback of neither button',
    { type: 'feedback_buttons', positive_button: { value: 'good' }, negative_button: { value: 'bad' } },
    { value: 'x' },
  ],
  ['a list', { type: 'button' }, []],
])('refuses %s', (_, element, given) => {
  expect(() => value(element, given)).toThrow(expect.objectContaining({ status: 400 }));
});

const BLOCKS: Json[] = [
  {
    type: 'actions',
    block_id: 'b',
    elements: [
      { type: 'button', action_id: 'go' },
      { type: 'static_select', action_id: 's', options },
    ],
  },
  {
    type: 'input',
    block_id: '__proto__',
    element: { type: 'plain_text_input', action_id: 'constructor', initial_value: 'x' },
  },
];

test('the state has every element with a value by its ids, whatever the ids are', () => {
  const given = JSON.parse(
    '{"b": {"s": {"selected_option": {"value": "a"}}}, "__proto__": {"constructor": {"value": "typed"}}, "gone": {"x": {"value": "y"}}}',
  ) as object;
  expect(JSON.stringify(readState(BLOCKS, given))).toBe(
    JSON.stringify({ b: { s: { type: 'static_select', selected_option: option('a') } } }).slice(0, -1) +
      ',"__proto__":{"constructor":{"type":"plain_text_input","value":"typed"}}}',
  );
  expect(JSON.stringify(readState(BLOCKS, undefined))).toContain('{"type":"plain_text_input","value":"x"}');
});

test('a wrong state names the element', () => {
  expect(() => readState(BLOCKS, { b: { s: { selected_option: { value: 'c' } } } })).toThrow(
    expect.objectContaining({ field: 'state.b.s' }),
  );
  expect(() => readState(BLOCKS, 'x')).toThrow(expect.objectContaining({ field: 'state' }));
});
