import { shownArguments, visible } from './shown-arguments.js';

test('flat arguments are a table, others formatted JSON', () => {
  expect(shownArguments({ version: 'v1', count: 2, force: true, note: null })).toEqual({
    kind: 'table',
    rows: [
      { name: 'version', value: 'v1' },
      { name: 'count', value: '2' },
      { name: 'force', value: 'true' },
      { name: 'note', value: 'null' },
    ],
  });
  expect(shownArguments({ a: { b: 1 } })).toEqual({
    kind: 'json',
    text: '{\n  "a": {\n    "b": 1\n  }\n}',
  });
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, n]));
  expect(shownArguments(many).kind).toBe('json');
});

test('texts that look like another type keep their quotes', () => {
  const rows = ['true', '12', '', ' x'].map((value) => shownArguments({ value }));
  expect(rows.map((shown) => shown.kind === 'table' && shown.rows[0]?.value)).toEqual([
    '"true"',
    '"12"',
    '""',
    '" x"',
  ]);
});

test.each([
  ['a right-to-left override', 'safe\u202etxt', 'safe\\u202etxt'],
  ['a zero-width space', 'pay\u200bpal', 'pay\\u200bpal'],
  ['a line break', 'a\nb', 'a\\u000ab'],
  ['an escape', '\u001b[2J', '\\u001b[2J'],
])('%s is visible', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('line breaks stay in values of several lines', () => {
  expect(visible('a\n\tb\r', true)).toBe('a\n\tb\\u000d');
});
