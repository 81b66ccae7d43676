import { EveryNth } from './every-nth.js';

test('reports every third call of each key', () => {
  const third = new EveryNth(3, 10);
  const reported = ['a', 'b', 'a', 'a', 'b', 'a', 'b', 'a', 'a'].map((key) => third.add(key));
  expect(reported).toEqual([false, false, false, true, false, false, true, false, true]);
});

test('a reported key takes no space, and beyond the limit the least recently used key is dropped', () => {
  const third = new EveryNth(3, 2);
  for (const key of ['a', 'a', 'a']) third.add(key);
  expect(third.size).toBe(0);
  for (const key of ['a', 'b', 'a', 'c']) third.add(key);
  expect(third.size).toBe(2);
  expect(third.add('a')).toBe(true);
  expect([third.add('b'), third.add('b')]).toEqual([false, false]);
});
