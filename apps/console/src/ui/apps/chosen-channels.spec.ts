import { channelIdsOf, isIncomplete } from './chosen-channels.js';

it('a choice without channels never becomes the list that means all', () => {
  expect(isIncomplete({ which: 'some', ids: [] })).toBe(true);
  expect(isIncomplete({ which: 'some', ids: ['a'] })).toBe(false);
  expect(isIncomplete({ which: 'all', ids: [] })).toBe(false);
});

it('keeps, opens or limits the channels', () => {
  expect(channelIdsOf({ which: 'kept', ids: ['a'] })).toBeUndefined();
  expect(channelIdsOf({ which: 'all', ids: ['a'] })).toEqual([]);
  expect(channelIdsOf({ which: 'some', ids: ['a'] })).toEqual(['a']);
});
