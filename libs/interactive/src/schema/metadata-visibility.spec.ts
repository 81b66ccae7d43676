import type { Viewer } from '@tieline/conversations';
import { processorMs } from '@tieline/testing';
import { VisibleComponents } from './metadata-visibility.js';

const BOT = '01939d3e-0000-7aaa-9c1d-2f6a5b1c0d41';
const ANN = '01939d3e-0001-7aaa-9c1d-2f6a5b1c0d41';
const BOB = '01939d3e-0002-7aaa-9c1d-2f6a5b1c0d41';
const SECTION = { type: 'section', text: { type: 'mrkdwn', text: 'Deploy?' } };

const everybody = { type: 'button', action_id: 'all', text: 'All', signed_token: 't1' };
const annOnly = {
  type: 'select',
  action_id: 'ann',
  options: [{ value: 'a', label: 'A' }],
  visibility_user_ids: [ANN],
  signed_token: 't2',
};
const nobodyNamed = {
  type: 'button',
  action_id: 'none',
  text: 'None',
  visibility_user_ids: [],
  signed_token: 't3',
};
const stored = {
  version: 1,
  theme: 'dark',
  blocks: [
    SECTION,
    { type: 'actions', block_id: 'x', elements: [everybody, annOnly, nobodyNamed] },
    { type: 'actions', elements: [annOnly] },
  ],
};

const person = (id: string): Viewer => ({ type: 'user', id });
const bot = (id: string): Viewer => ({ type: 'bot', id });

function seen(
  viewer: Viewer,
  value: object = stored,
  author: { author_id: string; author_type: 'bot' | 'system' | 'webhook' } = {
    author_id: BOT,
    author_type: 'bot',
  },
): any {
  return JSON.parse(new VisibleComponents().of(JSON.stringify(value), author)(viewer) ?? '');
}

const without = (element: object, ...fields: string[]): object =>
  Object.fromEntries(Object.entries(element).filter(([field]) => !fields.includes(field)));
const shown = (first: object[], second: object[]): object => ({
  ...stored,
  blocks: [
    SECTION,
    { type: 'actions', block_id: 'x', elements: first },
    { type: 'actions', elements: second },
  ],
});

test('people see the elements for them with tokens, and never who else can see them', () => {
  const ann = without(annOnly, 'visibility_user_ids');
  const none = without(nobodyNamed, 'visibility_user_ids');
  expect(seen(person(ANN))).toEqual(shown([everybody, ann, none], [ann]));
  expect(seen(person(BOB))).toEqual(shown([everybody, none], []));
});

test('the sending bot sees everything as it sent it, without tokens', () => {
  const ann = without(annOnly, 'signed_token');
  expect(seen(bot(BOT))).toEqual(
    shown([without(everybody, 'signed_token'), ann, without(nobodyNamed, 'signed_token')], [ann]),
  );
});

test('another bot sees the elements for everyone, without tokens and visibility', () => {
  const elements = [
    without(everybody, 'signed_token'),
    without(nobodyNamed, 'signed_token', 'visibility_user_ids'),
  ];
  expect(seen(bot(BOB))).toEqual(shown(elements, []));
  // A bot whose id is named, or an author that is not a bot, sees no more than that.
  expect(JSON.stringify(seen(bot(ANN)))).not.toMatch(/signed_token|visibility_user_ids/);
  expect(seen(bot(BOT), stored, { author_id: BOT, author_type: 'webhook' })).toEqual(shown(elements, []));
});

test("a person who is the author of a built-in's message sees what other people see", () => {
  const author = { author_id: BOB, author_type: 'system' as const };
  expect(seen(person(BOB), stored, author)).toEqual(seen(person(BOB)));
  expect(seen(person(ANN), stored, author)).toEqual(seen(person(ANN)));
});

test('the letter case of an id does not matter', () => {
  const value = {
    version: 1,
    blocks: [{ type: 'actions', elements: [{ ...annOnly, visibility_user_ids: [ANN.toUpperCase()] }] }],
  };
  expect(seen(person(ANN), value).blocks[0].elements).toHaveLength(1);
});

test.each([
  ['spaces', '{ "blocks": [ { "type": "section" } ] }'],
  [
    'numbers that JavaScript would change',
    '{"blocks":[{"type":"section","x":{"type":"actions"},"n":12345678901234567890}]}',
  ],
  ['a mention of actions elsewhere', '{"type":"actions", "elements":[{"signed_token":"x"}]}'],
  ['blocks that are no list', '{"blocks":{"type":"actions"}}'],
])('metadata without interactive blocks is shown as it was sent: %s', (_, json) => {
  for (const viewer of [person(ANN), bot(BOT), bot(BOB)])
    expect(new VisibleComponents().of(json, { author_id: BOT, author_type: 'bot' })(viewer)).toBe(json);
});

test('elements that are not objects are ignored', () => {
  const value = {
    blocks: [
      null,
      5,
      { type: 'actions', elements: 7 },
      { type: 'actions', elements: [null, 'x', everybody] },
      { type: 'actions' },
    ],
  };
  expect(seen(person(BOB), value).blocks).toEqual([
    null,
    5,
    { type: 'actions', elements: 7 },
    { type: 'actions', elements: [everybody] },
    { type: 'actions' },
  ]);
});

test('viewers named in no element share one text, which is computed once', () => {
  const json = JSON.stringify(stored);
  const view = new VisibleComponents().of(json, { author_id: BOT, author_type: 'bot' });
  const spent = processorMs(() => {
    const first = view(person(BOB));
    const views = Array.from({ length: 20_000 }, (_, index) => view(person(`0-${index}`)));
    expect(views.every((one) => one === first)).toBe(true);
  });
  expect(spent).toBeLessThan(3000);
});
