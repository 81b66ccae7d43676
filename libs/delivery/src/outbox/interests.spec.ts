import { Interests } from './interests.js';

const interests = new Interests<string>();
interests.add('all', { eventTypes: ['SAID', 'DONE'], channelIds: [] });
interests.add('here', { eventTypes: ['SAID'], channelIds: ['c', 'd', 'c'] });
interests.add('there', { eventTypes: ['SAID', 'SAID'], channelIds: ['x'] });
interests.add('twice', { eventTypes: ['SAID', 'SAID'], channelIds: [] });

test.each([
  ['c', 'SAID', ['all', 'twice', 'here']],
  ['d', 'SAID', ['all', 'twice', 'here']],
  ['x', 'SAID', ['all', 'twice', 'there']],
  ['nowhere', 'SAID', ['all', 'twice']],
  ['c', 'DONE', ['all']],
  ['c', 'NEVER', []],
])('in %s, %s is wanted by %j, each listed once', (channelId, type, wanted) => {
  expect(interests.in(channelId, type)).toEqual(wanted);
});

test('events without a channel are wanted by those not limited to channels', () => {
  expect(interests.everywhere('SAID')).toEqual(['all', 'twice']);
});

test('those limited to other channels are not visited', () => {
  const crowded = new Interests<number>();
  let looks = 0;
  for (let n = 0; n < 1000; n += 1) {
    const eventTypes = new Proxy(['SAID'], { get: (types, key) => ((looks += 1), Reflect.get(types, key)) });
    crowded.add(n, { eventTypes, channelIds: [`c${n}`] });
  }
  looks = 0;
  expect(crowded.in('c7', 'SAID')).toEqual([7]);
  expect(looks).toBeLessThan(20);
});
