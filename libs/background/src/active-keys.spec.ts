import { ActiveKeys } from './active-keys.js';

it('a key counts as active for a second', () => {
  const active = new ActiveKeys();
  expect(active.keys(0)).toEqual([]);
  active.note('a', 0);
  expect(active.keys(999)).toEqual(['a']);
  expect(active.keys(1000)).toEqual([]);
});

it('several keys are active while the other one was noted within a second', () => {
  const active = new ActiveKeys();
  active.note('calm', 0);
  for (let now = 1; now < 1500; now += 1) {
    active.note('busy', now);
    expect(active.areSeveral(now)).toBe(now < 1000);
  }
  active.note('calm', 1500);
  expect(active.areSeveral(1500)).toBe(true);
});
