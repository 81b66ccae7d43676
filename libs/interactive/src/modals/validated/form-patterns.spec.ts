import { RE2JS } from 're2js';
import { processorMs } from '@tieline/testing';
import { FormPatterns } from './form-patterns.js';
import { atomsOf } from './pattern-cost.js';

const problemOf = (pattern: string): string | undefined => new FormPatterns().problem(pattern);
const matches = (pattern: string, text: string): string => new FormPatterns().match(pattern, text);

test.each([
  '[A-Z]{3}-\\d{4}',
  '^\\p{L}+( \\p{L}+)*$',
  '(?i)yes|no',
  '(?i)[а-яё]+',
  '(a+)+$',
  '(x+x+)+y',
  'a{300}',
  '.{0,300}',
  '[]a]{2,}',
  '(?P<n>a)',
  '\\x{1F600}+',
  'a{100}(?i)',
  '\\\\Q',
])('%s is taken', (pattern) => expect(problemOf(pattern)).toBeUndefined());

test.each(['(a)\\1', '(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '[', '(', '*', 'a{2,1}', '\\k<n>'])(
  '%s is refused: invalid, or not matched in linear time',
  (pattern) => expect(problemOf(pattern)).toMatch(/supported by RE2/),
);

test.each([
  'a{301}',
  '(a{20}){20}',
  '((?:ab?){10}){20}',
  '.{0,200}.{0,200}',
  'a{100}b{100}c{100}d',
  'a{9}(?i){10}(?-i){10}',
  'a{9}?(?i){40}',
  '((a{10}){10}){10}',
  '(()()()){50}',
  '(?:(?:a?){30}[[:alpha:](]){33}',
])('%s would take too long', (pattern) =>
  expect(problemOf(pattern)).toMatch(/^must have at most 300 elements/),
);

test('quoting is refused because it hides the atoms of the pattern', () => {
  const many = '(?:a?){1000}b|';
  expect(problemOf(`(?:\\Q[\\E|${many.repeat(11)}(?:a?){1000}|\\Q]\\E)`)).toBe('must not contain \\Q');
  expect(problemOf('\\\\\\Qa')).toBe('must not contain \\Q');
});

test('case-insensitive ranges over all letters take too long to compile', () => {
  expect(problemOf(`(?i)${'[a-\\x{10ffff}]'.repeat(11)}`)).toMatch(/^takes too long/);
  expect(problemOf(`(?i)${'[a-\u{10FFFF}]'.repeat(30)}`)).toMatch(/^takes too long/);
  expect(problemOf(`(?i)${'\\pL'.repeat(65)}`)).toMatch(/^takes too long/);
});

test('the whole text must match, as in HTML forms', () => {
  expect([matches('[a-z]+', 'abc'), matches('[a-z]+', 'abc1')]).toEqual(['matches', 'differs']);
  expect(matches('a|ab', 'ab')).toBe('matches');
  expect(matches('.*', 'x'.repeat(1000))).toBe('matches');
  expect(matches('.*', 'x'.repeat(1001))).toBe('differs');
});

test('the patterns of one form share one budget', () => {
  const patterns = new FormPatterns();
  const of = (nth: number): string => `(?:a?){90}${nth}`;
  const problems = Array.from({ length: 30 }, (_, nth) => patterns.problem(of(nth)));
  expect(problems.slice(0, 10)).toEqual(Array.from({ length: 10 }));
  expect(problems.at(-1)).toMatch(/^takes too long to check, together with the other patterns/);
  const matched = new FormPatterns();
  const verdicts = Array.from({ length: 30 }, () => matched.match('(?:a?){90}', 'a'.repeat(1000)));
  expect([verdicts[0], verdicts.at(-1)]).toEqual(['differs', 'unchecked']);
});

test('a typical form with thirty patterns stays far below the budget', () => {
  const patterns = new FormPatterns();
  for (let nth = 0; nth < 30; nth += 1) {
    const pattern = `(?:[A-Z]{2,5}-\\d{1,6}|${nth}[a-z0-9._-]+@[a-z0-9-]+)`;
    expect(patterns.problem(pattern)).toBeUndefined();
    expect(patterns.match(pattern, `${nth}${'a'.repeat(60)}@example`)).toBe('matches');
  }
});

/* Generated patterns: accepted ones stay small when compiled, and the estimate is never too low. */

const PARTS = [
  ...[
    'a',
    '.',
    '|',
    '?',
    '*',
    '+',
    '??',
    '^',
    '$',
    '\\b',
    '\\d',
    '\\W',
    '\\\\',
    '\\]',
    '\\[',
    '\\(',
    '\\)',
    '\\x{61}',
    '\\pL',
  ],
  ...[
    '\\p{Greek}',
    '\\P{^Lu}',
    '(',
    '(',
    ')',
    ')',
    ')',
    '(?:',
    '(?i:',
    '(?i)',
    '(?P<n>',
    '(?<m>',
    '()',
    '{2}',
    '{3,}',
    '{0,40}',
  ],
  ...[
    '{30}',
    '{90}',
    '{1000}',
    '{',
    '}',
    '[a-z]',
    '[^a]',
    '[]a]',
    '[^]a]',
    '[[]',
    '[[:alpha:]]',
    '[[:alpha:](]',
    '[a\\]b]',
  ],
  ...[
    '[(]',
    '[)]',
    '[{2}]',
    '[',
    ']',
    '-',
    ',',
    '\\Q',
    '\\E',
    '#',
    ':',
    '<',
    '>',
    '\u{1F600}',
    '(?i)',
    '(?-s)',
  ],
];

/** A linear congruential generator, so that every run has the same patterns. */
function* generated(count: number): Generator<string> {
  let state = 4711;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  for (let n = 0; n < count; n += 1) {
    const parts = Array.from({ length: 1 + next(14) }, () => PARTS[next(PARTS.length)]!);
    const pattern = parts.join('');
    yield pattern;
    yield `(?:${pattern}){${1 + next(30)}}`;
    yield `(${pattern}){0,${1 + next(300)}}`;
  }
}

test('accepted patterns compile to small programs and can be matched against long texts', () => {
  const texts = ['a'.repeat(1000), `${'a'.repeat(999)}!`, 'aä1 '.repeat(250), '😀'.repeat(1000)];
  let taken = 0;
  for (const pattern of generated(4000)) {
    if (problemOf(pattern) !== undefined) continue;
    taken += 1;
    const size = RE2JS.compile(pattern).programSize();
    if (size > 3 * atomsOf(pattern) + 2) throw new Error(`${pattern}: ${size}, but ${atomsOf(pattern)}`);
    const steps = size * texts.length * 1001;
    const patterns = new FormPatterns();
    const verdicts = texts.map((text) => patterns.match(pattern, text));
    if (steps > 300_000) expect(verdicts).toContain('unchecked');
  }
  expect(taken).toBeGreaterThan(500);
});

test.each(['(a+)+$', '(a|aa)+', '(?:a?){100}a{100}', '(.*a){75}'])('%s is cheap for any text', (pattern) => {
  const text = `${'a'.repeat(999)}!`;
  // Backtracking engines take minutes.
  expect(processorMs(() => matches(pattern, text))).toBeLessThan(2000);
});
