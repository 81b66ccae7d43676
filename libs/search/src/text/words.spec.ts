import { fold } from './fold.js';
import { wordsOf } from './words.js';

const texts = (text: string): string[] => wordsOf(text).map((word) => word.text);
const parts = (text: string): string[] => wordsOf(text).map(({ start, end }) => text.slice(start, end));

describe('fold', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['Crème Brûlée', 'creme brulee'],
    ['e\u0301te\u0301', '\u00e9t\u00e9'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['İstanbul', 'istanbul'],
    ['ﬁle', 'FILE'],
    ['Ｔｉｅｌｉｎｅ', 'tieline'],
    ['Йод', 'иод'],
    ['\u0915\u093f', '\u0915\u093f'],
    ['한국', '\u1112\u1161\u11ab\u1100\u116e\u11a8'.normalize('NFC')],
    ['a\u202eb', 'ab'],
  ])('%s equals %s', (one, other) => {
    expect(fold(one).text).toBe(fold(other).text);
  });

  test.each([
    ['か', 'が'],
    ['कि', 'का'],
    ['a', 'o'],
  ])('%s differs from %s', (one, other) => {
    expect(fold(one).text).not.toBe(fold(other).text);
  });
});

describe('words', () => {
  test.each([
    ['Deploy v1.2-rc_3 (now)!', ['deploy', 'v1', '2', 'rc_3', 'now']],
    ['_emphasis_ __init__', ['emphasis', 'init']],
    ['東京都', ['東京', '京都', '都']],
    ['x東京', ['x', '東京', '京']],
    ['🎉 done 👍🏽', ['🎉', 'done', '👍']],
    ['🇩🇪', ['🇩🇪']],
    ['ask <@0190f2a4-0000-7000-8000-000000000001> now', ['ask', 'now']],
    ['… -- !!! ___', []],
    ['', []],
  ])('of %s', (text, words) => {
    expect(texts(text)).toEqual(words);
  });

  test('have UTF-16 offsets of the text as it was sent', () => {
    expect(parts('🎉 Cre\u0300me STRAßE ﬁx')).toEqual(['🎉', 'Cre\u0300me', 'STRAßE', 'ﬁx']);
    expect(parts('東京')).toEqual(['東京', '京']);
  });

  test('are cut at 64 characters', () => {
    expect(texts('x'.repeat(5000))).toEqual(['x'.repeat(64)]);
    expect(texts('𝔸'.repeat(100))[0]).toHaveLength(64);
  });
});
