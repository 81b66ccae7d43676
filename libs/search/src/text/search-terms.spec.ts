import { highlightsIn } from './highlights.js';
import { readSearchTerms } from './search-terms.js';

const terms = (typed: string): string[] =>
  readSearchTerms(typed).map(
    ({ words, isPrefix, isExcluded }) => `${isExcluded ? '-' : ''}${words.join('+')}${isPrefix ? '*' : ''}`,
  );

test.each([
  ['deploy Now', ['deploy', 'now']],
  ['deploy deploy', ['deploy']],
  ['"release notes" -draft', ['release+notes', '-draft']],
  ['“release notes”', ['release+notes']],
  ['-"old notes"', ['-old+notes']],
  ['"not closed', ['not+closed']],
  ['rel* "release no*"', ['rel*', 'release+no*']],
  ['release-notes v1.2', ['release+notes', 'v1+2']],
  ['東京', ['東京']],
  ['東京都', ['東京+京都']],
  ['都', ['都*']],
  ['"', []],
  ['" " - -- * "" & | ! ( ) :* <->', []],
  ["o'brien", ['o+brien']],
  ['a & b | !c <-> d:*', ['a', 'b', 'c', 'd*']],
  ['🎉'.repeat(200), ['🎉+'.repeat(200).slice(0, -1)]],
])('%s is read as terms', (typed, expected) => {
  expect(terms(typed)).toEqual(expected);
});

const shown = (text: string, typed: string): string[] =>
  highlightsIn(text, readSearchTerms(typed)).map(([start, end]) => text.slice(start, end));

test.each([
  ['The Release Notes of releases', 'release', ['Release']],
  ['The Release Notes of releases', 'rel*', ['Release', 'releases']],
  ['Release notes, notes of a release', '"release notes" -x', ['Release notes']],
  ['🎉 crème brûlée', 'BRULEE', ['brûlée']],
  ['東京都に行く', '京都', ['京都']],
  ['東京都に行く', '東京都', ['東京都']],
  ['a b', '-a', []],
])('in %s, %s highlights %j', (text, typed, expected) => {
  expect(shown(text, typed)).toEqual(expected);
});
