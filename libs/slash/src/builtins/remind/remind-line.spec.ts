import { readRemindLine } from './remind-line.js';

const NOW = new Date('2026-11-21T07:00:00Z');
const USER = '0198f3a2-7c1b-7000-8000-00000000aaaa';
const at = new Date('2026-11-21T07:10:00Z');

const read = (text: string) => readRemindLine(text, 'UTC', NOW);

test.each([
  ['me in 10m tea', { kind: 'me' }],
  ['Me in 10m tea', { kind: 'me' }],
  ['here in 10m tea', { kind: 'here' }],
  [`<@${USER}> in 10m tea`, { kind: 'person', userId: USER }],
  [`<@${USER.toUpperCase()}>  in 10m  tea `, { kind: 'person', userId: USER }],
])('for %s', (text, target) => {
  expect(read(text)).toEqual({ kind: 'set', target, at, text: 'tea' });
});

test('list and cancel are keywords, but a reminder can be about lists', () => {
  expect([read('list'), read(' LIST '), read('cancel 2'), read('cancel  12 '), read('cancel 0')]).toEqual([
    { kind: 'list' },
    { kind: 'list' },
    { kind: 'cancel', place: 2 },
    { kind: 'cancel', place: 12 },
    { kind: 'cancel', place: 0 },
  ]);
  expect(read('me in 10m cancel 2')).toEqual({ kind: 'set', target: { kind: 'me' }, at, text: 'cancel 2' });
});

test.each([
  ['Who should I remind', ''],
  ['who to remind', 'you in 10m tea'],
  ['who to remind', 'in 10m tea'],
  ['who to remind', '@ann in 10m tea'],
  ['who to remind', '<@ann> in 10m tea'],
  ['who to remind', 'mein 10m tea'],
  ['who to remind', 'cancel'],
  ['who to remind', 'cancel x'],
  ['who to remind', 'cancel -1'],
  ['who to remind', 'cancel 1 2'],
  ['who to remind', 'list all'],
  ['understand the time', 'me'],
  ['understand the time', 'me tea'],
  ['in the past', 'me at 2026-11-21 06:59 tea'],
  ['more than 5 years', 'me in 5000d tea'],
  ['What should I remind you about', 'me in 10m'],
  ['What should I remind you about', 'here tomorrow 09:00  '],
  ['too long (maximum 3000', `me in 10m ${'🍵'.repeat(3001)}`],
])('%s: %s', (why, text) => {
  expect(read(text)).toEqual({ kind: 'usage', text: expect.stringContaining(why) });
  expect(read(text)).toEqual({
    kind: 'usage',
    text: expect.stringContaining(
      'Usage: /remind me|@user|here <in 10m|in 2h|in 3d|tomorrow 09:00|at 2026-12-01 09:00> <text>',
    ),
  });
});

test('the longest text', () => {
  expect(read(`me in 10m ${'🍵'.repeat(3000)}`)).toMatchObject({ kind: 'set', text: '🍵'.repeat(3000) });
});
