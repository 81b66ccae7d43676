import { ApiError } from '@tieline/platform/http';
import { processorMs } from '@tieline/testing';
import fc from 'fast-check';
import { parseMetadata } from './metadata.js';

const USER = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
type Fields = Record<string, unknown>;

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const button = (more: Fields = {}): Fields => ({ type: 'button', action_id: 'go', text: 'Go', ...more });
const select = (more: Fields = {}): Fields => ({
  type: 'select',
  action_id: 'pick',
  options: [{ value: 'a', label: 'A' }],
  ...more,
});
const actions = (...elements: unknown[]): Fields => ({ type: 'actions', elements });
const schema = (...blocks: unknown[]): Fields => ({ version: 1, blocks });
const withElement = (element: unknown): Fields => schema({ type: 'divider' }, actions(element));
const withOptions = (...options: unknown[]): Fields => withElement(select({ options }));
const PLACE = 'blocks[1].elements[0]';
const TYPES =
  'button or select or multi_select or user_select or conversation_select or date_picker or time_picker or overflow or checkboxes or radio';

/** Returns the error text, "" if there is none. */
function refusal(value: unknown): string {
  try {
    parseMetadata(typeof value === 'string' ? value : JSON.stringify(value));
    return '';
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return error.text;
  }
}

describe('valid metadata', () => {
  test.each<[string, Fields]>([
    [
      'a button with everything',
      withElement(
        button({
          style: 'danger',
          data: '{"build":4711}',
          visibility_user_ids: [USER],
          confirm: { title: 'Sure?', text: 'Really?', confirm_label: 'Yes', cancel_label: 'No' },
        }),
      ),
    ],
    [
      'a select with everything',
      withElement(select({ placeholder: 'Pick one', visibility_user_ids: [USER] })),
    ],
    [
      'optional fields that are null',
      withElement(button({ style: null, data: null, visibility_user_ids: null, confirm: null })),
    ],
    [
      'a select with optional fields that are null',
      withElement(select({ placeholder: null, visibility_user_ids: null })),
    ],
    ['an empty confirm', withElement(button({ confirm: {} }))],
    [
      'labels of any length',
      withElement(button({ confirm: { confirm_label: 'x'.repeat(500), cancel_label: null } })),
    ],
    ...['primary', 'danger', 'default', ''].map((style): [string, Fields] => [
      `style "${style}"`,
      withElement(button({ style })),
    ]),
    ['empty data', withElement(button({ data: '' }))],
    ['nobody named', withElement(button({ visibility_user_ids: [] }))],
    ['100 people', withElement(button({ visibility_user_ids: many(100, () => USER.toUpperCase()) }))],
    ['an action_id of one character', withElement(button({ action_id: '-' }))],
    ['an action_id of 64 characters', withElement(button({ action_id: '0_z-'.repeat(16) }))],
    ['a text of 75 characters beyond the basic plane', withElement(button({ text: '😀'.repeat(75) }))],
    ['data of 2000 characters', withElement(button({ data: '😀'.repeat(2000) }))],
    [
      'a title of 75 and a text of 300 characters',
      withElement(button({ confirm: { title: 'é'.repeat(75), text: '😀'.repeat(300) } })),
    ],
    ['a placeholder of 100 characters', withElement(select({ placeholder: '😀'.repeat(100) }))],
    ['25 options', withOptions(...many(25, (index) => ({ value: `${index}`, label: 'same' })))],
    ['an option of 150 and 75 characters', withOptions({ value: '😀'.repeat(150), label: '😀'.repeat(75) })],
    [
      'unknown fields',
      { ...withElement(button({ tooltip: {}, signed_token: 'mine', options: 7 })), theme: 'dark' },
    ],
    [
      '5 blocks of 5 elements',
      schema(
        ...many(5, (block) => actions(...many(5, (index) => button({ action_id: `${block}-${index}` })))),
      ),
    ],
    ['50 blocks', schema(...many(45, () => ({ type: 'divider' })), ...many(5, () => actions()))],
  ])('%s', (_, value) => {
    expect(refusal(value)).toBe('');
    expect(parseMetadata(JSON.stringify(value))).toEqual({
      json: JSON.stringify(value),
      value,
      isInteractive: true,
    });
  });

  test('metadata without interactive blocks is not checked', () => {
    for (const value of [
      {},
      { blocks: null },
      { version: 7, blocks: [] },
      schema(null, 'x', 5, [], { type: 'hologram', elements: 3 }),
      { attachments: [{ color: 5 }], kind: 'x' },
    ]) {
      expect(parseMetadata(JSON.stringify(value))).toMatchObject({ value, isInteractive: false });
    }
  });
});

describe('errors name the place', () => {
  const TEXT_75 = 'must be a text of 1 to 75 characters';
  const ACTION = 'must match ^[a-z0-9_-]{1,64}$';
  test.each<[string, Fields, string]>([
    [
      'no version',
      { blocks: [actions(button())] },
      'version: must be the number 1 when there are interactive blocks',
    ],
    [
      'a version that is a text',
      { ...withElement(button()), version: '1' },
      'version: must be the number 1 when there are interactive blocks',
    ],
    [
      'version 2',
      { ...withElement(button()), version: 2 },
      'version: must be the number 1 when there are interactive blocks',
    ],
    ['blocks that are not a list', { version: 1, blocks: { 0: actions() } }, 'blocks: must be a list'],
    ['51 blocks', schema(...many(51, () => ({ type: 'divider' }))), 'blocks: at most 50'],
    ['51 display blocks', { blocks: many(51, () => ({ type: 'divider' })) }, 'blocks: at most 50'],
    ['6 interactive blocks', schema(...many(6, () => actions())), 'blocks: at most 5 of type actions'],
    ['no elements', schema({ type: 'actions' }), 'blocks[0].elements: is required'],
    [
      'elements that are not a list',
      schema({ type: 'actions', elements: {} }),
      'blocks[0].elements: must be a list',
    ],
    [
      '6 elements',
      schema(actions(...many(6, (index) => button({ action_id: `${index}` })))),
      'blocks[0].elements: at most 5',
    ],
    ['an element that is null', withElement(null), `${PLACE}: must be an object`],
    ['an element that is a list', withElement([]), `${PLACE}: must be an object`],
    [
      'an element without type',
      withElement({ action_id: 'x', text: 'x' }),
      `${PLACE}.type: must be ${TYPES}`,
    ],
    ['an unknown element', withElement(button({ type: 'datepicker' })), `${PLACE}.type: must be ${TYPES}`],
    [
      'an element named like a method',
      withElement(button({ type: 'constructor' })),
      `${PLACE}.type: must be ${TYPES}`,
    ],
    ['no action_id', withElement(button({ action_id: undefined })), `${PLACE}.action_id: is required`],
    ['an empty action_id', withElement(button({ action_id: '' })), `${PLACE}.action_id: ${ACTION}`],
    [
      'an action_id of 65 characters',
      withElement(button({ action_id: 'x'.repeat(65) })),
      `${PLACE}.action_id: ${ACTION}`,
    ],
    ['a capital in an action_id', withElement(button({ action_id: 'Go' })), `${PLACE}.action_id: ${ACTION}`],
    [
      'a line end after an action_id',
      withElement(button({ action_id: 'go\n' })),
      `${PLACE}.action_id: ${ACTION}`,
    ],
    [
      'a select without action_id',
      withElement(select({ action_id: null })),
      `${PLACE}.action_id: is required`,
    ],
    ['an action_id that is a number', withElement(select({ action_id: 5 })), `${PLACE}.action_id: ${ACTION}`],
    [
      'an action_id twice',
      schema(
        actions(button(), select()),
        { type: 'divider' },
        actions(select({ action_id: 'other' }), button()),
      ),
      'blocks[2].elements[1].action_id: is used twice in this message',
    ],
    ['no text', withElement(button({ text: undefined })), `${PLACE}.text: is required`],
    ['an empty text', withElement(button({ text: '' })), `${PLACE}.text: ${TEXT_75}`],
    ['a blank text', withElement(button({ text: ' \n' })), `${PLACE}.text: ${TEXT_75}`],
    ['a text of 76 characters', withElement(button({ text: 'é'.repeat(76) })), `${PLACE}.text: ${TEXT_75}`],
    [
      'a text that is an object',
      withElement(button({ text: { type: 'plain_text', text: 'Go' } })),
      `${PLACE}.text: must be a string`,
    ],
    [
      'an unknown style',
      withElement(button({ style: 'red' })),
      `${PLACE}.style: must be primary or danger or default`,
    ],
    [
      'a style that is a list',
      withElement(button({ style: ['danger'] })),
      `${PLACE}.style: must be primary or danger or default`,
    ],
    [
      'data of 2001 characters',
      withElement(button({ data: '😀'.repeat(2001) })),
      `${PLACE}.data: must be a text of up to 2000 characters`,
    ],
    ['data that is an object', withElement(button({ data: {} })), `${PLACE}.data: must be a string`],
    [
      '101 people',
      withElement(button({ visibility_user_ids: many(101, () => USER) })),
      `${PLACE}.visibility_user_ids: at most 100`,
    ],
    [
      'a person that is not a uuid',
      withElement(button({ visibility_user_ids: [USER, 'ann'] })),
      `${PLACE}.visibility_user_ids[1]: must be a uuid`,
    ],
    [
      'people that are a text',
      withElement(select({ visibility_user_ids: USER })),
      `${PLACE}.visibility_user_ids: must be a list`,
    ],
    [
      '101 people for a select',
      withElement(select({ visibility_user_ids: many(101, () => USER) })),
      `${PLACE}.visibility_user_ids: at most 100`,
    ],
    ['a confirm that is true', withElement(button({ confirm: true })), `${PLACE}.confirm: must be an object`],
    [
      'a confirm title of 76 characters',
      withElement(button({ confirm: { title: 'x'.repeat(76) } })),
      `${PLACE}.confirm.title: must be a text of up to 75 characters`,
    ],
    [
      'a confirm text of 301 characters',
      withElement(button({ confirm: { text: 'x'.repeat(301) } })),
      `${PLACE}.confirm.text: must be a text of up to 300 characters`,
    ],
    [
      'a confirm label that is a number',
      withElement(button({ confirm: { confirm_label: 1 } })),
      `${PLACE}.confirm.confirm_label: must be a text`,
    ],
    [
      'a cancel label that is an object',
      withElement(button({ confirm: { cancel_label: {} } })),
      `${PLACE}.confirm.cancel_label: must be a text`,
    ],
    [
      'a placeholder of 101 characters',
      withElement(select({ placeholder: 'x'.repeat(101) })),
      `${PLACE}.placeholder: must be a text of up to 100 characters`,
    ],
    ['no options', withElement(select({ options: undefined })), `${PLACE}.options: is required`],
    ['an empty list of options', withOptions(), `${PLACE}.options: must have 1 to 25 items`],
    [
      '26 options',
      withOptions(...many(26, (index) => ({ value: `${index}`, label: 'x' }))),
      `${PLACE}.options: must have 1 to 25 items`,
    ],
    ['an option that is a text', withOptions('a'), `${PLACE}.options[0]: must be an object`],
    ['an option without value', withOptions({ label: 'x' }), `${PLACE}.options[0].value: is required`],
    [
      'an option of 151 characters',
      withOptions({ value: 'x'.repeat(151), label: 'x' }),
      `${PLACE}.options[0].value: must be a text of 1 to 150 characters`,
    ],
    ['an option without label', withOptions({ value: 'x' }), `${PLACE}.options[0].label: is required`],
    [
      'a label of 76 characters',
      withOptions({ value: 'a', label: 'a' }, { value: 'x', label: 'x'.repeat(76) }),
      `${PLACE}.options[1].label: ${TEXT_75}`,
    ],
    [
      'an option twice',
      withOptions({ value: 'a', label: 'A' }, { value: 'b', label: 'B' }, { value: 'a', label: 'C' }),
      `${PLACE}.options[2].value: appears twice`,
    ],
  ])('%s', (_, value, text) => {
    expect(refusal(value)).toBe(text);
  });
});

describe('display blocks have their own limits', () => {
  const text = (length: number) => ({ type: 'mrkdwn', text: '😀'.repeat(length) });
  const TOO_LONG = 'at most 3000 characters';
  test.each<[string, Fields, string]>([
    ['a header', { type: 'header', text: text(3001) }, `blocks[1].text.text: ${TOO_LONG}`],
    ['a header with a bare text', { type: 'header', text: 'x'.repeat(3001) }, `blocks[1].text: ${TOO_LONG}`],
    ['a section', { type: 'section', text: text(3001) }, `blocks[1].text.text: ${TOO_LONG}`],
    ['a field', { type: 'section', fields: [text(1), text(3001)] }, `blocks[1].fields[1].text: ${TOO_LONG}`],
    ['11 fields', { type: 'section', fields: many(11, () => text(1)) }, 'blocks[1].fields: at most 10'],
    ['a context', { type: 'context', elements: [text(3001)] }, `blocks[1].elements[0].text: ${TOO_LONG}`],
    ['11 elements', { type: 'context', elements: many(11, () => text(1)) }, 'blocks[1].elements: at most 10'],
    ['the title of an image', { type: 'image', title: text(3001) }, `blocks[1].title.text: ${TOO_LONG}`],
  ])('%s over them', (_, block, error) => {
    expect(refusal({ blocks: [{ type: 'divider' }, block] })).toBe(error);
    expect(refusal(schema(actions(button()), block))).toBe(error);
  });

  test('accepts blocks at the limits', () => {
    const full = (type: string) => ({ type, text: text(3000), fields: many(10, () => text(30)) });
    for (const block of [
      full('header'),
      full('section'),
      { type: 'context', elements: many(10, () => text(30)) },
    ])
      expect(refusal({ blocks: [block] })).toBe('');
  });

  test('does not check unknown types', () => {
    expect(refusal({ blocks: [{ type: 'hologram', text: text(3001), fields: many(11, () => 'x') }] })).toBe(
      '',
    );
  });
});

describe('metadata_json as a whole', () => {
  const PADDED = (bytes: number): string =>
    `{"a":"${'é'.repeat(Math.floor((bytes - 8) / 2))}${bytes % 2 === 0 ? '' : 'x'}"}`;

  test('none', () => {
    for (const none of [undefined, null, '']) expect(parseMetadata(none)).toBeUndefined();
  });

  test.each<[string, unknown, string]>([
    ['an object', schema(), 'metadata_json must be a string'],
    ['a number', 5, 'metadata_json must be a string'],
    ['no JSON', '{', 'metadata_json must be the JSON text of an object'],
    ['a list', '[]', 'metadata_json must be the JSON text of an object'],
    ['a text', '"x"', 'metadata_json must be the JSON text of an object'],
    ['NUL', '{"a":"\\u0000"}', 'metadata_json must be the JSON text of an object'],
    [
      'nested too deeply',
      '{"a":'.repeat(3000) + '1' + '}'.repeat(3000),
      'metadata_json must be the JSON text of an object',
    ],
    ['the kind of a placeholder', '{"kind":"agent_run"}', 'metadata_json: kind agent_run is reserved'],
    ['the kind of a card', '{"kind":"approval"}', 'metadata_json: kind approval is reserved'],
    [
      'the kind of a placeholder, escaped',
      '{"blocks":[],"\\u006bind":"agent\\u005frun"}',
      'metadata_json: kind agent_run is reserved',
    ],
    ['32 KiB and a byte', PADDED(32_769), 'metadata_json too large (max 32 KiB)'],
  ])('%s gets 400', (_, given, text) => {
    expect(() => parseMetadata(given)).toThrow(expect.objectContaining({ status: 400, text }));
  });

  test('the limit of 32 KiB counts UTF-8 bytes as sent, including whitespace', () => {
    expect(Buffer.byteLength(PADDED(32_768))).toBe(32_768);
    expect(refusal(PADDED(32_768))).toBe('');
    expect(refusal(`{}${' '.repeat(32_766)}`)).toBe('');
    expect(refusal(`{}${' '.repeat(32_767)}`)).toBe('metadata_json too large (max 32 KiB)');
  });
});

describe('arbitrary input', () => {
  const WORDS = [
    'type',
    'actions',
    'button',
    'select',
    'elements',
    'action_id',
    'text',
    'options',
    'value',
    'label',
    'confirm',
    'title',
    '__proto__',
    'constructor',
    '',
  ];
  const leaf = fc.oneof(fc.constantFrom<unknown>(...WORDS, null, true, 1, 2), fc.string());
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 6 },
      leaf,
      fc.array(tie('node'), { maxLength: 7 }),
      fc.dictionary(fc.oneof(fc.constantFrom(...WORDS), fc.string()), tie('node'), { maxKeys: 6 }),
    ),
  }));
  const element = fc.record(
    {
      type: fc.constantFrom('button', 'select', 'multi_select', 'date_picker', 'x'),
      initial: node,
      max_selected: node,
      action_id: node,
      text: node,
      options: node,
      confirm: node,
      visibility_user_ids: node,
      data: node,
    },
    { requiredKeys: ['type'] },
  );
  const document = fc.record({
    version: fc.constantFrom<unknown>(1, '1', 2),
    blocks: fc.array(
      fc.oneof(
        node,
        fc.record({
          type: fc.constant('actions'),
          elements: fc.array(fc.oneof(element, node), { maxLength: 6 }),
        }),
      ),
    ),
  });

  test('is accepted, or refused with one error', () => {
    fc.assert(
      fc.property(fc.oneof(document, node), (value) => {
        expect(refusal(JSON.stringify(value) ?? '')).toEqual(expect.any(String));
      }),
      { numRuns: 2000 },
    );
  });

  test.each<[string, string]>([
    [
      'a list of a thousand people in every element',
      JSON.stringify(
        schema(
          actions(
            ...many(5, (index) =>
              button({ action_id: `${index}`, visibility_user_ids: many(160, () => USER) }),
            ),
          ),
        ),
      ),
    ],
    ['text without end', JSON.stringify(withElement(button({ text: '\u{1F600}'.repeat(7_900) })))],
    ['an action_id without end', JSON.stringify(withElement(button({ action_id: '-'.repeat(32_000) })))],
    ['thousands of options', JSON.stringify(withOptions(...many(4_000, () => ({}))))],
    ['thousands of blocks', JSON.stringify({ version: 1, blocks: many(15_000, () => 1) })],
  ])('%s is refused at once', (_, json) => {
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(32_768);
    const spent = processorMs(() => {
      for (let round = 0; round < 10; round += 1) expect(refusal(json)).not.toBe('');
    });
    expect(spent / 10).toBeLessThan(50);
  });
});
