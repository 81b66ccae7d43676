import { WalkPace } from './walk-pace.js';

it.each([
  ['a quick walk', 2, 25],
  ['a walk that takes long', 100, 300],
  ['a walk on a machine that stands still', 4000, 500],
])('%s of %d ms is followed by a rest of %d', (_, tookMs, restMs) => {
  const pace = new WalkPace();
  pace.walkEnded(1000, false, 1000 + tookMs);
  expect(pace.msLeft(1000 + tookMs)).toBe(restMs);
});

it('the beginning of what a walk found counts as a part of it', () => {
  const pace = new WalkPace();
  pace.walkEnded(0, false, 20);
  expect(pace.msLeft(20)).toBe(60);
  pace.walkEnded(0, false, 50);
  expect(pace.msLeft(50)).toBe(150);
});

it('the first walk is due at once', () => {
  expect(new WalkPace().msLeft()).toBeLessThanOrEqual(0);
});
