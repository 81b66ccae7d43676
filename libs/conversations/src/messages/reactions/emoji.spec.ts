import { isEmoji } from './emoji.js';

test.each(['👍', '👩‍👩‍👧‍👦', '❤️', '🏳️‍🌈', '🇩🇪', '1️⃣', ':+1:', '+1', 'ок', '😀'.repeat(64), '<@x>'])(
  '%s is a reaction',
  (text) => {
    expect(isEmoji(text)).toBe(true);
  },
);

test.each([
  '',
  ' ',
  'thumbs up',
  '👍 ',
  '\t',
  '👍\n',
  '\u0000',
  '\u007f',
  '\u00a0',
  '\u2028',
  '\ud800',
  '😀'.repeat(65),
])('%j is none', (text) => {
  expect(isEmoji(text)).toBe(false);
});
