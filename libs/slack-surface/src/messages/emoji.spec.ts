import { emojiName, reactionOf } from './emoji.js';

test.each([
  ['thumbsup', '👍'],
  ['+1', '👍'],
  [':heart:', '❤️'],
  ['white_check_mark', '✅'],
  ['thinking_face', '🤔'],
  ['our_logo', ':our_logo:'],
])('%s stands for %s', (name, reaction) => {
  expect(reactionOf(name)).toBe(reaction);
});

test.each(['', 'two words', 'a/b', '<b>', 'constructor::x', 'a'.repeat(200)])('%j is not a name', (name) => {
  expect(reactionOf(name)).toBeUndefined();
});

test('a reaction has the name that GitHub and Slack share', () => {
  expect(['👍', '❤️', '🎉', ':our_logo:'].map(emojiName)).toEqual(['+1', 'heart', 'tada', 'our_logo']);
});
