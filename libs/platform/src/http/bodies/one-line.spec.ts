import { isBlankText, oneLineProblem, toOneLine } from './one-line.js';

const TOO_LONG = 'must be a text of 1 to 5 characters';
const NOT_ONE_LINE = 'must not contain control characters, line breaks or bidirectional overrides';

test.each([
  '',
  ' ',
  '\n\t',
  '\u0085',
  '\u00a0',
  '\u2003',
  '\u200b',
  '\u200c\u200d',
  '\u2060',
  '\ufeff',
  '\u3164',
])('%j is blank', (text) => {
  expect(isBlankText(text)).toBe(true);
  expect(isBlankText(` ${text}\u2800\u180e`)).toBe(true);
  expect(isBlankText(`${text}x`)).toBe(false);
});

test.each(['👩‍💻', '.', '\u0301', '❤️'])('%j is not blank', (text) => {
  expect(isBlankText(text)).toBe(false);
});

test.each<[unknown, string | undefined]>([
  ['Ann', undefined],
  ['a\u200db', undefined],
  ['\u200fאב', undefined],
  ['😀😀😀😀😀', undefined],
  ['😀😀😀😀😀😀', TOO_LONG],
  ['', TOO_LONG],
  ['\u200b', TOO_LONG],
  [5, TOO_LONG],
  ['a\nb', NOT_ONE_LINE],
  ['a\rb', NOT_ONE_LINE],
  ['a\tb', NOT_ONE_LINE],
  ['a\u2028b', NOT_ONE_LINE],
  ['\u001b[1m', NOT_ONE_LINE],
  ['\u0085a', NOT_ONE_LINE],
  ['\u202eab', NOT_ONE_LINE],
  ['a\u2066b', NOT_ONE_LINE],
])('as a text of one line, %j has the problem %j', (value, problem) => {
  expect(oneLineProblem(value, 5)).toBe(problem);
});

test('removes characters that do not fit on one line', () => {
  expect(toOneLine('\u202eli\nne\u0000 1\u2069')).toBe('line 1');
});
