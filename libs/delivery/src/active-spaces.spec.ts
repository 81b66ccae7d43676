import { ActiveSpaces } from './active-spaces.js';

it('a space counts as active for a second', () => {
  const active = new ActiveSpaces();
  expect(active.ids(0)).toEqual([]);
  active.note('a', 0);
  expect(active.ids(999)).toEqual(['a']);
  expect(active.ids(1000)).toEqual([]);
});

it('several spaces are active while the other one was noted within a second', () => {
  const active = new ActiveSpaces();
  active.note('calm', 0);
  for (let now = 1; now < 1500; now += 1) {
    active.note('busy', now);
    expect(active.areSeveral(now)).toBe(now < 1000);
  }
  active.note('calm', 1500);
  expect(active.areSeveral(1500)).toBe(true);
});
