import fc from 'fast-check';
import { normalizeEmoji, storedSpellings } from './emoji.js';

const LISTED = new RegExp(String.raw`^\p{RGI_Emoji}$`, 'v');
const PRESENTATION = /\uFE0F/g;

test.each([
  ['👍', '👍'],
  ['👍\uFE0F', '👍'],
  ['❤', '❤\uFE0F'],
  ['❤\uFE0F', '❤\uFE0F'],
  ['☺', '☺\uFE0F'],
  ['1\u20E3', '1\uFE0F\u20E3'],
  ['1\uFE0F\u20E3', '1\uFE0F\u20E3'],
  ['🏳\u200D🌈', '🏳\uFE0F\u200D🌈'],
  ['👁\u200D🗨', '👁\uFE0F\u200D🗨\uFE0F'],
  ['⛹🏻\u200D♂', '⛹🏻\u200D♂\uFE0F'],
  ['✌🏽', '✌🏽'],
  ['✌\uFE0F🏽', '✌🏽'],
  ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
  ['🇩🇪', '🇩🇪'],
  [
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
    '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}',
  ],
  ['👩\u200D🦽\u200D➡', '👩\u200D🦽\u200D➡\uFE0F'],
  // Reserved for emoji of later versions.
  ['\u{1FAFF}', '\u{1FAFF}'],
  [':+1:', ':+1:'],
  [':flag-de:', ':flag-de:'],
  [':cafe\u0301:', ':café:'],
  [':wave::skin-tone-2:', ':wave::skin-tone-2:'],
])('%s is the reaction %s', (text, emoji) => {
  expect(normalizeEmoji(text)).toBe(emoji);
});

test.each([
  ...[
    '',
    ' ',
    'thumbs up',
    '👍 ',
    ' 👍',
    '\t',
    '👍\n',
    '\u0000',
    '\u00a0',
    '\u2028',
    '\ud800',
    '😀'.repeat(65),
  ],
  ...[
    '+1',
    'ok',
    'é',
    '1',
    '#',
    '😀😀',
    '<@x>',
    '\u200b',
    '\u202e',
    '\u3164',
    '\ufe0f',
    '\u200d',
    '🇩',
    '👍\u200d',
  ],
  ...['::', ':', ':a b:', ':\u200b:', `:${'a'.repeat(63)}:`, ':a:b:'],
])('%j is not a reaction', (text) => {
  expect(normalizeEmoji(text)).toBeUndefined();
});

test('every listed emoji is a reaction, with or without its U+FE0F characters', () => {
  const code = fc.integer({ min: 0xa9, max: 0x1faff }).map((one) => String.fromCodePoint(one));
  const listed = code
    .map((one) => (LISTED.test(one) ? one : `${one}\uFE0F`))
    .filter((one) => LISTED.test(one));
  fc.assert(
    fc.property(listed, (emoji) => {
      const bare = emoji.replace(PRESENTATION, '');
      for (const text of [emoji, bare, `${bare}\uFE0F`]) expect(normalizeEmoji(text)).toBe(emoji);
    }),
  );
});

test('reactions stored by an earlier version are found', () => {
  expect(storedSpellings('❤\uFE0F')).toEqual(expect.arrayContaining(['❤\uFE0F', '❤']));
  expect(storedSpellings('👍')).toEqual(expect.arrayContaining(['👍', '👍\uFE0F']));
});
