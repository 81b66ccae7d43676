import { OptionError, readTypedOptions } from './given-options.js';

const given = (text: string): unknown => {
  const read = readTypedOptions(text);
  return read instanceof OptionError ? read.text : Object.fromEntries(read);
};

test.each([
  ['', {}],
  ['  ', {}],
  ['stage:live', { stage: 'live' }],
  ['stage:live  count:2 ', { stage: 'live', count: '2' }],
  ['why:"the fix is urgent" count:2', { why: 'the fix is urgent', count: '2' }],
  ['why:"say \\"hi\\" and \\\\"', { why: 'say "hi" and \\' }],
  ['why:“typographic quotes”', { why: 'typographic quotes' }],
  ['why:""', { why: '' }],
  ['why:', { why: '' }],
  ['url:https://example.com:8080/a', { url: 'https://example.com:8080/a' }],
  ['who:<@0190d5e0-0000-7000-8000-000000000001>', { who: '<@0190d5e0-0000-7000-8000-000000000001>' }],
  ['why:"line\none"', { why: 'line\none' }],
  ['why:"say “hi” now"', { why: 'say “hi” now' }],
  ['path:"C:\\new\\table"', { path: 'C:\\new\\table' }],
  ['path:"C:\\Program Files" re:"\\d+\\s"', { path: 'C:\\Program Files', re: '\\d+\\s' }],
  ['re:"a\\\\\\n"', { re: 'a\\\\n' }],
  ['size:5"', { size: '5"' }],
  ['constructor:x', { constructor: 'x' }],
])('%j', (text, values) => {
  expect(given(text)).toEqual(values);
});

test.each([
  ['live', 'live'],
  ['stage:live now', 'now'],
  ['Stage:live', 'Stage:live'],
  [':live', ':live'],
  ['x!stage:live', 'x!stage:live'],
])('%j is not understood', (text, part) => {
  expect(given(text)).toBe(`“${part}” does not belong to an option.`);
});

test.each([
  'why:"open',
  'why:"open quote',
  'why:"ab"i:5',
  'why:"a"b',
  'why:"',
  'why:"ends\\"',
  'why:“open',
  'why:"a” b:1',
])('%j has a quote that is not closed, or not followed by white space or the end', (text) => {
  expect(given(text)).toBe('The quotes around the value of “why” are not closed correctly.');
});

test('a long line of quotes is read in one pass', () => {
  const line = 'a:"\\'.repeat(1000);
  expect(given(line)).toMatch(/^The quotes around the value of “a”/);
});

test('an option given twice is an error', () => {
  expect(given('a:1 b:2 a:3')).toBe('“a” is given twice.');
});
