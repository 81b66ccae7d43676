import { heldBy, richTextOf, sentState, stateOf, textOfRich, valueOf, withValue } from './state.js';

const option = (value: string) => ({ text: { type: 'plain_text', text: value.toUpperCase() }, value });

const BLOCKS = [
  {
    type: 'section',
    block_id: 's',
    accessory: { type: 'static_select', action_id: 'pick', initial_option: option('a') },
  },
  {
    type: 'actions',
    block_id: 'a',
    elements: [
      { type: 'button', action_id: 'go' },
      { type: 'checkboxes', action_id: 'some' },
      { type: 'datetimepicker', action_id: 'when', initial_date_time: 1_700_000_000 },
    ],
  },
  {
    type: 'container',
    child_blocks: [
      {
        type: 'input',
        block_id: 'i',
        element: { type: 'plain_text_input', action_id: 'words', initial_value: 'hello' },
      },
    ],
  },
  {
    type: 'input',
    block_id: 'c',
    element: {
      type: 'multi_conversations_select',
      action_id: 'where',
      default_to_current_conversation: true,
    },
  },
];

it('starts with the values of the app, in the shapes of Slack', () => {
  expect(stateOf(BLOCKS, {}, 'C1')).toEqual({
    s: { pick: { type: 'static_select', selected_option: option('a') } },
    a: {
      some: { type: 'checkboxes', selected_options: [] },
      when: { type: 'datetimepicker', selected_date_time: 1_700_000_000 },
    },
    i: { words: { type: 'plain_text_input', value: 'hello' } },
    c: { where: { type: 'multi_conversations_select', selected_conversations: ['C1'] } },
  });
});

it('keeps what the person has entered where the element is still the same', () => {
  const chosen = valueOf('static_select', option('b'));
  const entered = withValue(stateOf(BLOCKS), { blockId: 's', actionId: 'pick' }, chosen);
  expect(stateOf(BLOCKS, entered)['s']?.['pick']).toEqual(chosen);
  const other = [
    {
      type: 'section',
      block_id: 's',
      accessory: { type: 'users_select', action_id: 'pick', initial_user: 'U1' },
    },
  ];
  expect(stateOf(other, entered)).toEqual({
    s: { pick: { type: 'users_select', selected_user: 'U1' } },
  });
});

it('reads values of any shape without failing', () => {
  expect(heldBy('static_select', undefined)).toBeNull();
  expect(heldBy('checkboxes', {})).toEqual([]);
  expect(stateOf([{}, { type: 'input', element: null }] as never)).toEqual({});
});

it('writes a typed text as rich text, and reads it back', () => {
  expect(richTextOf('')).toBeNull();
  expect(textOfRich(richTextOf('one\ntwo'))).toBe('one\ntwo');
  const list = {
    elements: [
      { type: 'rich_text_list', elements: [{ elements: [{ text: 'a' }] }, { elements: [{ text: 'b' }] }] },
    ],
  };
  expect(textOfRich(list)).toBe('a\nb');
});

it('sends ids of options and files, and whole options that the app has found', () => {
  const values = {
    one: valueOf('static_select', option('a')),
    some: valueOf('checkboxes', [option('a')]),
    none: valueOf('radio_buttons', null),
    found: valueOf('external_select', option('x')),
    files: valueOf('file_input', [{ id: 'F1', name: 'a.txt' }]),
    day: valueOf('datepicker', '2026-12-24'),
  };
  expect(sentState({ b: values })).toEqual({
    b: {
      one: { selected_option: { value: 'a' } },
      some: { selected_options: [{ value: 'a' }] },
      none: { selected_option: null },
      found: { selected_option: option('x') },
      files: { files: ['F1'] },
      day: { selected_date: '2026-12-24' },
    },
  });
});
