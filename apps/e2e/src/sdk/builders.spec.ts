import { parseMetadata } from '@tieline/interactive';
import { readBotAnswer } from '@tieline/interactive/testing';
import {
  blocks,
  checkMetadata,
  checkModal,
  elements,
  fields,
  metadataJson,
  modal,
} from '@tieline/sdk/blocks';

/*
 * The SDK repeats the server's limits, so that bots get errors before sending. This test compares
 * every rule with the server: each field of each kind is replaced by each of these values, and both
 * must give the same error text.
 */

const UUID = '019ad735-8400-7000-8000-000000000001';
const long = (length: number) => '🎈'.repeat(length);
const TEXTS = [
  0, 1, 64, 65, 75, 76, 100, 101, 150, 151, 200, 201, 300, 301, 2000, 2001, 2048, 2049, 3000, 3001,
].map(long);
const LISTS = [
  [],
  [''],
  ['a'],
  ['a', 'a'],
  ['a', 'b'],
  ['a', 'b', 'c'],
  ['zz'],
  [UUID],
  ['x', UUID],
  Array(100).fill(UUID),
  Array(101).fill(UUID),
];
const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ value: `v${index}`, label: `l${index}` }));
const VALUES: unknown[] = [
  ...[undefined, null, true, false, 0, 1, 2, 3, -1, 1.5, 25, 26, 65_536, 65_537],
  ...[
    ' ',
    'a',
    'ok',
    'A',
    'a b',
    'primary',
    'danger',
    'default',
    'bot',
    UUID,
    UUID.toUpperCase(),
    `${UUID}0`,
  ],
  ...['2026-12-01', '2026-02-29', '2024-02-29', '2026-1-1', '09:30', '24:00', '9:30'],
  ...[
    'https://example.com/',
    'http://example.com/',
    'HTTPS://EXAMPLE.COM',
    'https://',
    'https://example.com/a b',
    'ftp://example.com',
  ],
  ...['[A-Z]+-\\d+', '(a)\\1', '(?=a)', '(?<!a)b', 'a\\\\1', '(?:a|b)'],
  ...[{}, { title: long(76) }, { text: long(301) }, { confirm_label: 1 }, { title: null }],
  ...[
    options(1),
    options(25),
    options(26),
    options(100),
    options(101),
    [{ value: 'a' }],
    [{ label: 'a' }],
    [{ value: '', label: 'x' }],
    [{ value: 'a', label: ' ' }],
  ],
  ...[
    [{ value: 'a', label: long(75) }],
    [{ value: 'a', label: long(76) }],
    [{ value: long(151), label: 'x' }],
    [
      { value: 'a', label: 'a' },
      { value: 'a', label: 'b' },
    ],
  ],
  ...TEXTS,
  ...LISTS,
];

/** Returns the error text; undefined if nothing is thrown. */
function errorOf(validate: () => unknown): string | undefined {
  try {
    validate();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Replaces a field, or deletes it for undefined. */
function replaced<T extends object>(object: T, name: string, value: unknown): T {
  return JSON.parse(JSON.stringify({ ...object, [name]: value }));
}

const common = {
  visible_to: [UUID],
  confirm: { title: 'Sure?', text: 'Really?', confirm_label: 'Yes', cancel_label: 'No' },
};
const many = { initial: ['a'], min_selected: 1, max_selected: 2 };
const letters = { a: 'A', b: 'B', c: 'C' };
const EVERY_ELEMENT = [
  elements.button('one', 'Press', { style: 'primary', data: 'x', url: 'https://example.com/', ...common }),
  elements.select('two', letters, { placeholder: 'Choose', initial: 'a', ...common }),
  elements.radio('three', ['a', 'b'], { initial: 'b', ...common }),
  elements.overflow('four', ['a', 'b'], common),
  elements.multiSelect('five', letters, { placeholder: 'Choose', ...many, ...common }),
  elements.checkboxes('six', letters, { ...many, ...common }),
  elements.userSelect('seven', { initial: UUID, placeholder: 'Who', ...common }),
  elements.conversationSelect('eight', { initial: UUID, placeholder: 'Where', ...common }),
  elements.datePicker('nine', { initial: '2026-12-01', placeholder: 'When', ...common }),
  elements.timePicker('ten', { initial: '09:30', placeholder: 'When', ...common }),
];
const EVERY_CONTEXT_ELEMENT = [
  elements.feedback('judge', {
    positive: { text: 'Good', data: 'up' },
    negative: { text: 'Bad', data: 'down' },
  }),
  elements.iconButton('again', 'refresh', 'Try again', { data: 'x', visible_to: [UUID] }),
];
const EVERY_BLOCK = [
  blocks.header('Build 4711'),
  blocks.section('Is **ready**', {
    fields: ['a', blocks.plain('b')],
    accessory: { type: 'image', image_url: 'https://x/', alt_text: 'x' },
  }),
  blocks.context('small', blocks.markdown('*print*')),
  blocks.image('https://example.com/a.png', 'A picture', 'Title'),
  blocks.divider(),
  blocks.actions(...EVERY_ELEMENT.slice(0, 5)),
  blocks.actions(...EVERY_ELEMENT.slice(5)),
  blocks.contextActions(...EVERY_CONTEXT_ELEMENT),
];

describe('the server accepts what the builders create', () => {
  test('every element, in every block', () => {
    const parsed = parseMetadata(metadataJson(EVERY_BLOCK, { build: 4711 }));
    expect(parsed).toMatchObject({ isInteractive: true, value: { version: 1, build: 4711 } });
  });

  test('every field, in a form', () => {
    expect(readBotAnswer({ open_modal: everyField() as never })).toMatchObject({ kind: 'open_modal' });
  });
});

function everyField() {
  const more = { required: true, placeholder: 'x' };
  const text = { min_length: 1, max_length: 9, pattern: '[a-z]+' };
  return modal(
    'Everything',
    [
      fields.text('text', 'L', { ...more, ...text, initial: 'abc' }),
      fields.textarea('textarea', 'L', { ...more, ...text }),
      fields.email('email', 'L', { ...more, initial: 'ann@example.com' }),
      fields.url('url', 'L', { ...more, initial: 'https://example.com/' }),
      fields.select('select', 'L', letters, { ...more, initial: 'a' }),
      fields.select('asked', 'L', 'bot', { ...more, initial: 'whatever' }),
      fields.radio('radio', 'L', ['a', 'b'], { ...more, initial: 'a' }),
      fields.multiSelect('multi', 'L', letters, { ...more, initial: ['a'], min: 1, max: 2 }),
      fields.checkboxes('boxes', 'L', letters, { ...more, initial: ['a'], min: 1, max: 2 }),
      fields.checkbox('box', 'L', { ...more, initial: false }),
      fields.number('number', 'L', { ...more, initial: 2, min: 1, max: 3 }),
      fields.date('date', 'L', { ...more, initial: '2026-12-01', min: '2026-12-01', max: '2026-12-31' }),
      fields.time('time', 'L', { ...more, initial: '09:30', min: '09:00', max: '10:00' }),
      fields.user('user', 'L', { ...more, initial: UUID }),
      fields.conversation('conversation', 'L', { ...more, initial: UUID }),
      fields.file('file', 'L', more),
    ],
    { submit: 'Go', close: 'Not now', private_metadata: 'p', notify_on_close: true },
  );
}

describe('the builders refuse what the server refuses, with the same text', () => {
  const results = (metadata: object) => [
    errorOf(() => checkMetadata(metadata)),
    errorOf(() => parseMetadata(JSON.stringify(metadata))),
  ];
  const inRow = (element: object, type = 'actions') => ({
    version: 1,
    blocks: [{ type: 'divider' }, { type, elements: [element] }],
  });

  test.each(EVERY_ELEMENT.map((element) => [element.type, element] as const))('%s', (_, element) => {
    const names = [...Object.keys(element), 'min_selected', 'placeholder', 'url', 'initial', 'unknown'];
    for (const name of names)
      for (const value of VALUES) {
        const [ours, theirs] = results(inRow(replaced(element, name, value)));
        expect({ name, value, said: ours }).toEqual({ name, value, said: theirs });
      }
  });

  test.each(EVERY_CONTEXT_ELEMENT.map((element) => [element.type, element] as const))('%s', (_, element) => {
    const values = [...VALUES, ...TEXTS.map((data) => ({ data })), ...TEXTS.map((text) => ({ text }))];
    for (const name of [...Object.keys(element), 'confirm', 'visibility_user_ids', 'unknown'])
      for (const value of values) {
        const [ours, theirs] = results(inRow(replaced(element, name, value), 'context_actions'));
        expect({ name, value, said: ours }).toEqual({ name, value, said: theirs });
      }
  });

  test.each(EVERY_BLOCK.map((block) => [block.type, block] as const))('block %s', (_, block) => {
    for (const name of Object.keys(block))
      for (const value of [
        ...VALUES,
        ...TEXTS.map((text) => ({ text })),
        ...TEXTS.map((text) => [{ text }]),
        Array(11).fill('x'),
      ]) {
        const [ours, theirs] = results({ version: 1, blocks: [replaced(block, name, value)] });
        expect({ name, value, said: ours }).toEqual({ name, value, said: theirs });
      }
  });

  test('a whole message', () => {
    const button = (id: string) => elements.button(id, 'x');
    const row = (...ids: string[]) => ({ type: 'actions', elements: ids.map(button) });
    const small = (...ids: string[]) =>
      blocks.contextActions(...ids.map((id) => elements.iconButton(id, 'copy', 'x')));
    const judged = (id: string) => blocks.contextActions(elements.feedback(id));
    const cases: Record<string, unknown>[] = [
      { version: 1, blocks: ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [small(id), row(`${id}1`)]) },
      { version: 1, blocks: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => small(id)) },
      { version: 1, blocks: [row('a'), small('a')] },
      { version: 1, blocks: [judged('a'), small('b'), judged('c')] },
      { version: 2, blocks: [small('a')] },
      { version: 1, blocks: [{ type: 'context_actions', elements: [{ type: 'button', action_id: 'a' }] }] },
      { version: 1, blocks: [{ type: 'context_actions' }] },
      { version: 1, blocks: Array(50).fill(blocks.divider()) },
      { version: 1, blocks: Array(51).fill(blocks.divider()) },
      { version: 1, blocks: ['a', 'b', 'c', 'd', 'e'].map((id) => row(id)) },
      { version: 1, blocks: ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id)) },
      { version: 1, blocks: [row('a', 'b', 'c', 'd', 'e', 'f')] },
      { version: 1, blocks: [row('a', 'b'), row('c', 'a')] },
      { version: 2, blocks: [row('a')] },
      { blocks: [row('a')] },
      { blocks: [blocks.divider()] },
      { blocks: 'x' },
      { blocks: null },
      { version: 1, blocks: [{ type: 'actions', elements: [{ type: 'slider', action_id: 'a' }] }] },
      { version: 1, blocks: [{ type: 'actions', elements: [{ action_id: 'a' }] }] },
      { version: 1, blocks: [{ type: 'actions', elements: ['x'] }] },
      { version: 1, blocks: [{ type: 'actions' }] },
      { version: 1, blocks: ['x', null, 5, { type: 'unknown', text: long(4000) }] },
    ];
    for (const metadata of cases) {
      const [ours, theirs] = results(metadata);
      expect({ metadata, said: ours }).toEqual({ metadata, said: theirs });
    }
    const [ours, theirs] = results({ blocks: [], text: 'x'.repeat(32 * 1024) });
    expect([ours, theirs].map((text) => /too large \(max 32 KiB\)/.test(text!))).toEqual([true, true]);
  });

  const judgedForm = (form: object) => [
    errorOf(() => checkModal(form, 'open_modal')),
    errorOf(() => readBotAnswer({ open_modal: form as never })),
  ];

  test.each(everyField().fields.map((field) => [field.id, field] as const))('field %s', (_, field) => {
    const names = [
      'min',
      'max',
      'min_length',
      'max_length',
      'pattern',
      'options',
      'options_from',
      'initial',
      'type',
    ];
    for (const name of new Set([...Object.keys(field), ...names]))
      for (const value of VALUES) {
        if (name === 'pattern' && typeof value === 'string' && value.startsWith('🎈')) continue; // only the server estimates the cost
        if (name === 'initial' && ['text', 'textarea', 'email'].includes(field.type)) continue; // also patterns and addresses
        const [ours, theirs] = judgedForm({
          validate: true,
          title: 'T',
          fields: [replaced(name === 'pattern' ? { ...field, initial: undefined } : field, name, value)],
        });
        expect({ name, value, said: ours }).toEqual({ name, value, said: theirs });
      }
  });

  test('a whole form', () => {
    const form = modal('T', [fields.text('a', 'A')], {
      submit: 'S',
      close: 'C',
      private_metadata: 'p',
      notify_on_close: true,
    });
    const field = fields.text('a', 'A');
    const lists = [
      [field, field],
      Array.from({ length: 31 }, (_, index) => ({ ...field, id: `f${index}` })),
      [null],
      ['x'],
    ];
    for (const name of Object.keys(form).filter((each) => each !== 'validate'))
      for (const value of [...VALUES, ...lists]) {
        const [ours, theirs] = judgedForm(replaced(form, name, value));
        expect({ name, value, said: ours }).toEqual({ name, value, said: theirs });
      }
  });
});

test('a builder names the place of the error', () => {
  expect(errorOf(() => elements.button('Deploy', 'x'))).toBe(
    'button.action_id: must match ^[a-z0-9_-]{1,64}$',
  );
  expect(errorOf(() => elements.select('a', []))).toBe('select.options: must have 1 to 25 items');
  expect(errorOf(() => blocks.section(long(3001)))).toBe('section.text.text: at most 3000 characters');
  expect(errorOf(() => modal('T', [fields.select('a', 'A', ['x', 'x'])]))).toBe(
    'fields[0].options[1].value: appears twice',
  );
});
