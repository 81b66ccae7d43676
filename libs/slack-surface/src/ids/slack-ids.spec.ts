import { v4, v7 } from 'uuid';
import { conversationId, ID_PREFIXES, slackId, uuidOf } from './slack-ids.js';
import type { IdKind } from './slack-ids.js';

const UUID = '01939d3e-7f0c-7aaa-9c1d-2f6a5b1c0d41';

test.each(Object.keys(ID_PREFIXES) as IdKind[])('an id of a %s is reversible', (kind) => {
  for (const uuid of [
    v4(),
    v7(),
    UUID,
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ]) {
    const id = slackId(kind, uuid);
    expect(id).toMatch(/^[UWBCDGTAFV][A-Z0-9]{26}$/);
    expect(uuidOf(id, kind)).toBe(uuid);
  }
});

test('an id is the same today and tomorrow', () => {
  expect(slackId('user', UUID)).toBe('UABSOOT47YMPKVJYHJPNJNRYDKB');
});

test('a conversation has the prefix of its scope', () => {
  const first = (scope: 'dm' | 'public' | 'private') => conversationId({ id: UUID, scope }).charAt(0);
  expect([first('public'), first('private'), first('dm')]).toEqual(['C', 'G', 'D']);
});

test.each([
  ['another kind', slackId('bot', UUID)],
  ['a uuid', UUID],
  ['lower case', slackId('user', UUID).toLowerCase()],
  ['an id of Slack itself', 'U012AB3CD'],
  ['a digit outside of the alphabet', slackId('user', UUID).replace(/.$/, '1')],
  ['more than 128 bits', `UI${'A'.repeat(25)}`],
  ['one digit too many', `${slackId('user', UUID)}A`],
  ['white space', ` ${slackId('user', UUID)}`],
  ['a line feed at the end', `${slackId('user', UUID)}\n`],
  ['nothing', ''],
])('refuses %s', (_, id) => {
  expect(uuidOf(id, 'user', 'space')).toBeUndefined();
});
