import { WalkPace } from './walk-pace.js';

it.each([
  ['a quick walk', 2, 25],
  ['a long walk', 100, 300],
  ['a walk on a stalled machine', 4000, 500],
])('%s of %d ms is followed by a pause of %d ms', (_, tookMs, restMs) => {
  const pace = new WalkPace();
  pace.walkEnded(1000, {}, 1000 + tookMs);
  expect(pace.msLeft(1000 + tookMs)).toBe(restMs);
});

it('a pause after a walk that found little is at least 50 ms', () => {
  const pace = new WalkPace();
  pace.walkEnded(0, { hasRoom: true, foundLittle: true }, 2);
  expect(pace.msLeft(2)).toBe(50);
  pace.walkEnded(0, { hasRoom: true, foundLittle: true }, 80);
  expect(pace.msLeft(80)).toBe(80);
});

it('starting the attempts counts toward the duration of a walk', () => {
  const pace = new WalkPace();
  pace.walkEnded(0, {}, 20);
  expect(pace.msLeft(20)).toBe(60);
  pace.walkEnded(0, {}, 50);
  expect(pace.msLeft(50)).toBe(150);
});

it('the first walk is due immediately', () => {
  expect(new WalkPace().msLeft()).toBeLessThanOrEqual(0);
});
