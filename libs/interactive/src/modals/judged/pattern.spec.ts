import { matchesPattern, patternProblem } from './pattern.js';

test.each([
  '[A-Z]{3}-\\d{4}',
  '^\\p{L}+( \\p{L}+)*$',
  '(?i)yes|no',
  '(a+)+$',
  '(x+x+)+y',
  'a{300}',
  '[]a]{2,}',
  '(?P<n>a)',
])('%s is taken', (pattern) => expect(patternProblem(pattern)).toBeUndefined());

test.each(['(a)\\1', '(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '[', '(', '*', 'a{2,1}', '\\k<n>'])(
  '%s cannot be matched in linear time, or is none',
  (pattern) => expect(patternProblem(pattern)).toMatch(/RE2 knows/),
);

test.each([
  'a{301}',
  '(a{20}){20}',
  '((?:ab?){10}){20}',
  '.{0,200}.{0,200}',
  'a{100}b{100}c{100}d',
  '((a{10}){10}){10}',
])('%s would take too long', (pattern) =>
  expect(patternProblem(pattern)).toMatch(/^must not match more than 300 things/),
);

test('the whole text must match, as in a form of a web page', () => {
  expect([matchesPattern('[a-z]+', 'abc'), matchesPattern('[a-z]+', 'abc1')]).toEqual([true, false]);
  expect(matchesPattern('a|ab', 'ab')).toBe(true);
  expect(matchesPattern('.*', 'x'.repeat(1000))).toBe(true);
  expect(matchesPattern('.*', 'x'.repeat(1001))).toBe(false);
});

test.each(['(a+)+$', '(a|aa)+', '(?:a?){100}a{100}', '(.*a){100}'])(
  '%s costs little, whatever the text',
  (pattern) => {
    const text = `${'a'.repeat(999)}!`;
    matchesPattern(pattern, text);
    const begin = performance.now();
    matchesPattern(pattern, text);
    // Backtracking engines take minutes.
    expect(performance.now() - begin).toBeLessThan(2000);
  },
);
