import { SlackError } from '../dispatcher/slack-error.js';
import { actionOf } from './actions.js';
import { elementsIn, findElement } from './find-element.js';
import { readBlocks } from './read-blocks.js';
import type { Json } from './rules.js';

const plain = (text: string): Json => ({ type: 'plain_text', text });
const option = (value: string): Json => ({ text: plain(value), value });
const button = (fields: Json = {}): Json => ({
  type: 'button',
  text: plain('Go'),
  action_id: 'go',
  ...fields,
});
const actions = (...elements: Json[]): Json => ({ type: 'actions', block_id: 'b', elements });
const input = (element: Json): Json => ({ type: 'input', block_id: 'i', label: plain('L'), element });

function read(blocks: readonly Json[], max = 50): { blocks: Json[]; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (text: string): number => warnings.push(text);
  return { blocks: readBlocks(blocks, { max, error: 'invalid_blocks', pointer: '/blocks', warn }), warnings };
}

function refusal(...blocks: Json[]): string {
  try {
    read(blocks);
  } catch (error) {
    if (error instanceof SlackError) return `${error.error} ${error.messages.join()}`;
    throw error;
  }
  return 'accepted';
}

test('elements get the ids that they lack, and blocks without elements stay as they are', () => {
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'x' } };
  const { blocks } = read([
    section,
    { type: 'actions', elements: [{ ...button(), action_id: undefined }, button()] },
  ]);
  expect(blocks[0]).toBe(section);
  const [first, second] = elementsIn(blocks);
  expect(first?.block['block_id']).toMatch(/^[\w-]{6}$/);
  expect(first?.element['action_id']).toMatch(/^[\w-]{6}$/);
  expect(second?.element['action_id']).toBe('go');
  expect(findElement(blocks, String(first?.block['block_id']), 'go')).toEqual(second);
  expect(findElement(blocks, 'b', 'go')).toBeUndefined();
});

test('an accessory, inputs and feedback buttons are elements', () => {
  const feedback = {
    type: 'feedback_buttons',
    action_id: 'f',
    positive_button: { text: plain('Good'), value: 'good' },
    negative_button: { text: plain('Bad'), value: 'bad' },
  };
  const { blocks, warnings } = read([
    { type: 'section', text: plain('x'), accessory: button() },
    input({ type: 'plain_text_input', action_id: 't' }),
    {
      type: 'context_actions',
      elements: [feedback, { type: 'icon_button', icon: 'trash', text: plain('Delete') }],
    },
  ]);
  expect(elementsIn(blocks).map(({ element }) => element['type'])).toEqual([
    'button',
    'plain_text_input',
    'feedback_buttons',
    'icon_button',
  ]);
  expect(warnings).toEqual([]);
});

test('elements inside of cards, carousels and containers are elements, too', () => {
  const card = (id: string, ...buttons: Json[]): Json => ({
    ...{ type: 'card', block_id: id, title: { type: 'mrkdwn', text: id }, actions: buttons },
  });
  const { blocks, warnings } = read([
    card('one', button({ action_id: undefined })),
    { type: 'carousel', elements: [card('two', button()), { type: 'card', actions: [button()] }] },
    { type: 'container', title: plain('More'), child_blocks: [actions(button()), { type: 'divider' }] },
  ]);
  const found = elementsIn(blocks).map(({ block, element }) => [block['block_id'], element['action_id']]);
  const id = expect.stringMatching(/^[\w-]{6}$/);
  expect(found).toEqual([
    ['one', id],
    ['two', 'go'],
    [id, 'go'],
    ['b', 'go'],
  ]);
  expect(findElement(blocks, 'two', 'go')?.block['type']).toBe('card');
  expect(warnings).toEqual([]);
});

test('unknown blocks and elements stay, are named in a warning, and cannot be used', () => {
  const novel = { type: 'novel', elements: [button()] };
  const { blocks, warnings } = read([novel, actions({ type: 'workflow_button', action_id: 'w' })]);
  expect(blocks).toEqual([novel, actions({ type: 'workflow_button', action_id: 'w' })]);
  expect(warnings).toEqual([
    'blocks of type novel are not shown [json-pointer:/blocks/0]',
    'elements of type workflow_button are not shown [json-pointer:/blocks/1/elements/0]',
  ]);
  expect(elementsIn(blocks)).toEqual([]);
});

test.each<[string, string, Json[]]>([
  ['a block without type', 'every block must have a type [json-pointer:/blocks/0]', [{}]],
  ['a section without text', "must define either 'fields' or 'text'", [{ type: 'section' }]],
  [
    'a long header',
    'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    [{ type: 'header', text: plain('x'.repeat(151)) }],
  ],
  [
    'an image without alt_text',
    '[json-pointer:/blocks/0/alt_text]',
    [{ type: 'image', image_url: 'https://x.test/a.png' }],
  ],
  ['a script as an address', 'must be a valid URL', [actions(button({ url: 'javascript:alert(1)' }))]],
  ['no elements', 'no less than 1 items allowed', [actions()]],
  [
    '26 elements',
    'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
    [actions(...Array<Json>(26).fill(button()))],
  ],
  ['an action_id twice', 'action_id already exists', [actions(button(), button())]],
  ['a block_id twice', 'block_id already exists', [actions(button()), actions(button())]],
  ['a long action_id', 'must be less than 256 characters', [actions(button({ action_id: 'x'.repeat(256) }))]],
  ['an action_id that is no text', 'must be a string', [actions(button({ action_id: 7 }))]],
  [
    'a button without text',
    'missing required field [json-pointer:/blocks/0/elements/0/text]',
    [actions(button({ text: undefined }))],
  ],
  [
    '101 options',
    'no more than 100 items',
    [actions({ type: 'static_select', options: Array<Json>(101).fill(option('a')) })],
  ],
  ['no options', 'either options or option_groups', [actions({ type: 'static_select' })]],
  [
    'a foreign initial option',
    'must be one of the options',
    [actions({ type: 'static_select', options: [option('a')], initial_option: option('b') })],
  ],
  [
    'six entries of a menu',
    'no more than 5',
    [actions({ type: 'overflow', options: Array<Json>(6).fill(option('a')) })],
  ],
  ['an element that is no object', 'must be an object', [{ type: 'actions', elements: ['x'] }]],
  ['a list as an accessory', 'must be an object', [{ type: 'section', text: plain('x'), accessory: ['x'] }]],
  [
    'a block_id twice, also inside of a container',
    'block_id already exists [json-pointer:/blocks/1/child_blocks/0/block_id]',
    [actions(button()), { type: 'container', title: plain('x'), child_blocks: [actions(button())] }],
  ],
  [
    'a bad element of a card',
    'missing required field [json-pointer:/blocks/0/elements/0/actions/0/text]',
    [{ type: 'carousel', elements: [{ type: 'card', actions: [button({ text: undefined })] }] }],
  ],
  [
    'a container in a container',
    'must not be inside of another block [json-pointer:/blocks/0/child_blocks/0]',
    [{ type: 'container', child_blocks: [{ type: 'container', child_blocks: [{ type: 'divider' }] }] }],
  ],
  ['a carousel without cards', 'no less than 1 items', [{ type: 'carousel', elements: [] }]],
  [
    'a carousel of other blocks',
    'must be one of card',
    [{ type: 'carousel', elements: [actions(button())] }],
  ],
  ['a bad date', 'must be a date', [actions({ type: 'datepicker', initial_date: '2026-02-30' })]],
  [
    'a number input that lacks a field',
    'missing required field|must be a boolean',
    [input({ type: 'number_input' })],
  ],
])('refuses %s', (_, rule, blocks) => {
  const text = refusal(...blocks);
  expect(text).toMatch(/^invalid_blocks \[ERROR\] .+ \[json-pointer:\/blocks/);
  expect(rule.split('|').some((part) => text.includes(part))).toBe(true);
});

test('refuses more blocks than allowed', () => {
  expect(() => read(Array<Json>(51).fill({ type: 'divider' }))).toThrow(SlackError);
  expect(read(Array<Json>(100).fill({ type: 'divider' }), 100).blocks).toHaveLength(100);
});

test('an action has the ids and the value of its element', () => {
  const [found] = elementsIn([actions(button({ value: 'v' }))]);
  expect(actionOf(found!, {}, '1.000001')).toEqual({
    type: 'button',
    action_id: 'go',
    block_id: 'b',
    text: plain('Go'),
    value: 'v',
    action_ts: '1.000001',
  });
});
