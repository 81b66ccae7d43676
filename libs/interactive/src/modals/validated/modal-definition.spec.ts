import { ModalDefinition } from './modal-definition.js';

type Fields = Record<string, unknown>;

const TEXT = { id: 'reason', type: 'text', label: 'Reason' };
const OPTIONS = [
  { label: 'Test', value: 'test' },
  { label: 'Production', value: 'live' },
];
const modal = (more: Fields = {}): Fields => ({ validate: true, title: 'Deploy', fields: [TEXT], ...more });
const withField = (field: Fields): Fields => modal({ fields: [{ ...TEXT, ...field }] });
const refused = (given: Fields): string => {
  try {
    ModalDefinition.read(given, 'open_modal');
    return 'taken';
  } catch (error) {
    return (error as Error).message;
  }
};
const texts = (length: number): string => 'ü'.repeat(length);
const list = <T>(length: number, make: (n: number) => T): T[] => Array.from({ length }, (_, n) => make(n));

describe('a modal without validation', () => {
  test.each([
    ['nothing', {}],
    ['nonsense', { title: 7, fields: 'none', private_metadata: { a: 1 } }],
    ['validate false', { validate: false, fields: [] }],
    ['validate as a text', { validate: 'true', fields: [] }],
  ])('%s is passed on as it is', (_, given) => {
    const definition = ModalDefinition.read(given, 'open_modal');
    expect(definition.shown).toEqual(given);
    expect(definition.validated).toBeUndefined();
  });
});

test('a modal at the limits', () => {
  const fields = list(30, (n) => ({
    ...{ id: `${n}`.padEnd(64, 'x'), type: 'select', label: texts(150) },
    ...{ required: n % 2 === 0, placeholder: texts(150), unknown: { kept: true } },
    options: list(100, (m) => ({ label: texts(150), value: `${m}`.padEnd(150, 'ü') })),
  }));
  const given = modal({
    ...{ title: texts(100), submit_label: texts(75), close_label: texts(75), notify_on_close: true },
    ...{ private_metadata: texts(3000), fields },
  });
  const definition = ModalDefinition.read(given, 'open_modal');
  expect(definition.validated).toMatchObject({ privateMetadata: texts(3000), notifyOnClose: true });
  expect(definition.validated?.fields).toHaveLength(30);
});

test('people get everything unchanged except private_metadata', () => {
  const given = modal({ private_metadata: 'ticket 7', submit_label: 'Go', extra: 1 });
  const { private_metadata: _, ...rest } = given;
  expect(ModalDefinition.read(given, 'open_modal').shown).toEqual(rest);
});

test('a stored modal reads the same', () => {
  const read = ModalDefinition.read(modal({ private_metadata: 'a', notify_on_close: true }), 'push_modal');
  const stored = ModalDefinition.stored(read.json, true);
  expect([stored.shown, stored.validated]).toEqual([read.shown, read.validated]);
  expect(ModalDefinition.stored(read.json, false).validated).toBeUndefined();
});

test.each<[string, Fields]>([
  ['open_modal.title: is required', modal({ title: undefined })],
  ['open_modal.title: must be a text of 1 to 100 characters', modal({ title: texts(101) })],
  ['open_modal.title: must be a text of 1 to 100 characters', modal({ title: ' ' })],
  ['open_modal.submit_label: must be a text of 1 to 75 characters', modal({ submit_label: texts(76) })],
  ['open_modal.close_label: must be a string', modal({ close_label: 7 })],
  [
    'open_modal.private_metadata: must be a text of up to 3000 characters',
    modal({ private_metadata: texts(3001) }),
  ],
  ['open_modal.notify_on_close: must be true or false', modal({ notify_on_close: 'yes' })],
  ['open_modal.fields: is required', modal({ fields: undefined })],
  ['open_modal.fields: must have 1 to 30 items', modal({ fields: [] })],
  [
    'open_modal.fields: must have 1 to 30 items',
    modal({ fields: list(31, (n) => ({ ...TEXT, id: `${n}` })) }),
  ],
  ['open_modal.fields[0]: must be an object', modal({ fields: ['text'] })],
  ['open_modal.fields[1].id: appears twice', modal({ fields: [TEXT, TEXT] })],
  ['open_modal.fields[0].id: must be a text of 1 to 64 characters', withField({ id: texts(65) })],
  ['open_modal.fields[0].id: is required', withField({ id: undefined })],
  ['open_modal.fields[0].label: must be a text of 1 to 150 characters', withField({ label: texts(151) })],
  ['open_modal.fields[0].required: must be true or false', withField({ required: 1 })],
  [
    'open_modal.fields[0].placeholder: must be a text of up to 150 characters',
    withField({ placeholder: texts(151) }),
  ],
  ['open_modal.fields[0].min_length: must be a whole number from 0 to 65536', withField({ min_length: -1 })],
  ['open_modal.fields[0].max_length: must be a whole number from 0 to 65536', withField({ max_length: 1.5 })],
  [
    'open_modal.fields[0].min_length: must not be greater than max_length',
    withField({ min_length: 3, max_length: 2 }),
  ],
  ['open_modal.fields[0].pattern: must be a text of 1 to 200 characters', withField({ pattern: texts(201) })],
  ['open_modal.fields[0].min: is not supported for text', withField({ min: 1 })],
  ['open_modal.fields[0].options: is not supported for text', withField({ options: OPTIONS })],
  [
    'open_modal.fields[0].options_from: is not supported for number',
    withField({ type: 'number', options_from: 'bot' }),
  ],
  ['open_modal.fields[0].pattern: is not supported for date', withField({ type: 'date', pattern: 'a' })],
  [
    'open_modal.fields[0].max_length: is not supported for checkbox',
    withField({ type: 'checkbox', max_length: 3 }),
  ],
  ['open_modal.fields[0].min: is not a valid bound for number', withField({ type: 'number', min: '1' })],
  ['open_modal.fields[0].max: is not a valid bound for date', withField({ type: 'date', max: '2026-02-30' })],
  ['open_modal.fields[0].max: is not a valid bound for time', withField({ type: 'time', max: '24:00' })],
  [
    'open_modal.fields[0].min: is not a valid bound for checkboxes',
    withField({ type: 'checkboxes', options: OPTIONS, min: -1 }),
  ],
  ['open_modal.fields[0].min: must not be greater than max', withField({ type: 'number', min: 3, max: 2 })],
  [
    'open_modal.fields[0].min: must not exceed the number of options',
    withField({ type: 'multi_select', options: OPTIONS, min: OPTIONS.length + 1 }),
  ],
  [
    'open_modal.fields[0].min: must not exceed the number of options',
    withField({ type: 'checkboxes', options_from: 'bot', min: 101 }),
  ],
  [
    'open_modal.fields[0].max: must be at least 1 because the field is required',
    withField({ type: 'multi_select', options: OPTIONS, required: true, max: 0 }),
  ],
  [
    'open_modal.fields[0].min: must not be greater than max',
    withField({ type: 'date', min: '2026-02-02', max: '2026-02-01' }),
  ],
  ['open_modal.fields[0].options: is required', withField({ type: 'select' })],
  ['open_modal.fields[0].options: must have 1 to 100 items', withField({ type: 'radio', options: [] })],
  [
    'open_modal.fields[0].options: must have 1 to 100 items',
    withField({ type: 'radio', options: list(101, (n) => ({ label: 'a', value: `${n}` })) }),
  ],
  [
    'open_modal.fields[0].options[1].value: appears twice',
    withField({ type: 'select', options: [OPTIONS[0], OPTIONS[0]] }),
  ],
  [
    'open_modal.fields[0].options[0].value: must be a text of 1 to 150 characters',
    withField({ type: 'select', options: [{ label: 'a', value: texts(151) }] }),
  ],
  [
    'open_modal.fields[0].options_from: cannot be combined with options',
    withField({ type: 'select', options: OPTIONS, options_from: 'bot' }),
  ],
  ['open_modal.fields[0].options_from: must be bot', withField({ type: 'select', options_from: 'me' })],
  ['open_modal.fields[0].initial: is not supported for file', withField({ type: 'file', initial: 'a' })],
])('%s', (text, given) => {
  expect(refused(given)).toBe(text);
});

test('the error for an unknown type lists the types', () => {
  expect(refused(withField({ type: 'password' }))).toMatch(
    /^open_modal\.fields\[0\]\.type: must be text or .* or file$/,
  );
});

test.each<[Fields, unknown, unknown]>([
  [{ type: 'text', max_length: 3 }, 'abc', 'abcd'],
  [{ type: 'textarea', min_length: 3 }, 'abc', 'ab'],
  [{ type: 'text', pattern: '[A-Z]+-\\d+' }, 'OPS-7', 'OPS-7!'],
  [{ type: 'select', options: OPTIONS }, 'live', 'dead'],
  [{ type: 'select', options_from: 'bot' }, 'anything', 7],
  [{ type: 'multi_select', options: OPTIONS, max: 1 }, ['live'], ['live', 'test']],
  [{ type: 'checkboxes', options: OPTIONS }, ['live', 'test'], ['live', 'live']],
  [{ type: 'checkbox', required: true }, false, 'false'],
  [{ type: 'radio', options: OPTIONS }, 'test', ['test']],
  [{ type: 'date', min: '2026-01-01' }, '2026-01-01', '2025-12-31'],
  [{ type: 'time', max: '12:00' }, '12:00', '12:01'],
  [{ type: 'number', min: 0, max: 1 }, 0.5, 2],
  [{ type: 'email' }, 'ann@example.com', 'ann'],
  [{ type: 'url' }, 'https://example.com/a?b', 'ftp://example.com/'],
  [{ type: 'user' }, '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', 'ann'],
  [{ type: 'conversation' }, '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41', 7],
])('%j begins with %j, not with %j', (field, good, bad) => {
  expect(refused(withField({ ...field, initial: good }))).toBe('taken');
  expect(refused(withField({ ...field, initial: bad }))).toMatch(/initial: is not valid for the field: /);
});

test('an empty initial value is ignored', () => {
  expect(refused(withField({ type: 'date', initial: '' }))).toBe('taken');
  expect(refused(withField({ min_length: 3, initial: null }))).toBe('taken');
});

test('the place starts with the field of the answer', () => {
  expect(() => ModalDefinition.read(modal({ title: 7 }), 'push_modal')).toThrow('push_modal.title: ');
});
