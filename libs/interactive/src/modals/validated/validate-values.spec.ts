import { validateValues } from './validate-values.js';
import { ModalDefinition } from './modal-definition.js';

type Fields = Record<string, unknown>;

const ID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';
const OPTIONS = ['a', 'b', 'c'].map((value) => ({ label: value, value }));

const fieldsOf = (...fields: Fields[]) => {
  const given = { validate: true, title: 'x', fields: fields.map((field) => ({ label: 'x', ...field })) };
  return ModalDefinition.read(given, 'open_modal').validated!.fields;
};
const held = (field: Fields, value: unknown) => validateValues(fieldsOf({ id: 'f', ...field }), { f: value });

test.each<[Fields, unknown, unknown[]]>([
  [{ type: 'text' }, 'ä\n', [7, true, ['a'], {}]],
  [{ type: 'text', min_length: 2, max_length: 3 }, '👍👍', ['👍', 'abcd']],
  [{ type: 'textarea', pattern: '\\d+' }, '17', ['17a', ' 17']],
  [{ type: 'select', options: OPTIONS }, 'b', ['d', 'A', 1, ['b']]],
  [{ type: 'select', options_from: 'bot' }, 'any', [7, 'x'.repeat(151), ['any']]],
  [
    { type: 'multi_select', options: OPTIONS, min: 2, max: 2 },
    ['c', 'a'],
    ['a', ['a'], ['a', 'b', 'c'], ['a', 'd'], ['a', 'a']],
  ],
  [{ type: 'checkboxes', options: OPTIONS }, ['b'], [['d'], 'b', [null]]],
  [{ type: 'checkbox' }, false, ['true', 1, ['a']]],
  [{ type: 'checkbox', required: true }, true, [false, 'true']],
  [{ type: 'radio', options: OPTIONS }, 'c', ['d', ['c']]],
  [
    { type: 'date' },
    '2028-02-29',
    ['2027-02-29', '2026-13-01', '1.2.2026', '2026-1-1', 20260101, '2026-01-01T00:00:00Z'],
  ],
  [{ type: 'date', min: '2026-01-02', max: '2026-01-03' }, '2026-01-03', ['2026-01-01', '2026-01-04']],
  [{ type: 'time' }, '23:59', ['24:00', '9:30', '09:30:00', 930]],
  [{ type: 'time', min: '08:00', max: '17:00' }, '08:00', ['07:59', '17:01']],
  [{ type: 'number' }, -0.5, ['7', true, [7]]],
  [{ type: 'number', min: 1, max: 10 }, 10, [0, 10.5]],
  [{ type: 'email' }, 'ann+x@example.co.uk', ['ann', 'ann@', '@example.com', 'a b@example.com', 7]],
  [{ type: 'email', pattern: '.*@example\\.com' }, 'a@example.com', ['a@example.org']],
  [
    { type: 'url' },
    'http://example.com:8080/a?b#c',
    ['example.com', 'javascript:alert(1)', 'https://', 'https://a b/', `https://a.de/${'x'.repeat(2048)}`],
  ],
  [{ type: 'user' }, ID, ['ann', 7, [ID]]],
  [{ type: 'conversation' }, ID, ['general']],
  [{ type: 'file' }, ID, ['a.txt', { id: ID }]],
])('%j takes %j and nothing of %j', (field, good, bad) => {
  expect(held(field, good)).toEqual({ values: { f: good }, errors: {} });
  for (const value of bad)
    expect(held(field, value)).toEqual({ values: {}, errors: { f: expect.stringMatching(/^\S.*\.$/) } });
});

test('a list with too many values is refused before its values are compared', () => {
  const many = Array.from({ length: 200_000 }, () => 'c');
  const of = (options: Fields): unknown => held({ type: 'multi_select', ...options }, many).errors;
  expect(of({ options: OPTIONS })).toEqual({ f: 'Too many options are selected.' });
  expect(of({ options_from: 'bot' })).toEqual({ f: 'Too many options are selected.' });
});

test('ids are returned in lower case', () => {
  expect(held({ type: 'user' }, ID.toUpperCase()).values).toEqual({ f: ID });
});

test.each([undefined, null, '', '  ', []])(
  '%j counts as empty: it is dropped, or missing if the field is required',
  (value) => {
    expect(held({ type: 'text', min_length: 3 }, value)).toEqual({ values: {}, errors: {} });
    expect(held({ type: 'text', required: true }, value)).toEqual({ values: {}, errors: { f: 'Required.' } });
  },
);

test('values of unknown ids are dropped, and every invalid value gets an error', () => {
  const fields = fieldsOf(
    { id: 'a', type: 'number' },
    { id: 'b', type: 'checkbox', required: true },
    { id: '__proto__', type: 'text', required: true },
    { id: 'toString', type: 'text', required: true },
  );
  const given = JSON.parse('{"a":"x","b":false,"c":1,"__proto__":"p"}') as Fields;
  const { values, errors } = validateValues(fields, given);
  expect(Object.entries(values)).toEqual([['__proto__', 'p']]);
  expect(errors).toEqual({ a: 'Must be a number.', b: 'This box must be checked.', toString: 'Required.' });
});
