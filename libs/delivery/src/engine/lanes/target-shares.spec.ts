import { TargetShares } from './target-shares.js';

const PER_TARGET = 16;
let shares: TargetShares;
let now: number;
beforeEach(() => {
  shares = new TargetShares(PER_TARGET);
  now = 0;
});

const places = (inFlight = 0): number =>
  PER_TARGET - (shares.withReserved(new Map([['one', inFlight]]), PER_TARGET, now).get('one') ?? 0);
/** Records responses one after the other. */
function answers(count: number, durationMs: number, crowded: boolean): void {
  for (let n = 0; n < count; n += 1) shares.recordAttempt('one', durationMs, crowded, (now += durationMs));
}

it('slow responses in a crowded lane halve the share, down to one place', () => {
  const seen = [1, 2, 3, 4, 5, 6].map(() => {
    answers(1, 2000, true);
    return places();
  });
  expect(seen).toEqual([8, 4, 2, 1, 1, 1]);
});

it('responses to attempts that started together halve the share once', () => {
  now = 2000;
  for (let n = 0; n < 16; n += 1) shares.recordAttempt('one', 2000, true, now);
  expect(places()).toBe(8);
});

it('quick responses return places, more with each round, until all are back', () => {
  answers(4, 2000, true);
  answers(1, 10, true);
  expect(places()).toBe(2);
  answers(2, 10, true);
  expect(places()).toBe(3);
  answers(200, 10, true);
  expect(places()).toBe(PER_TARGET);
});

it('slow responses in a lane with room return places', () => {
  answers(3, 2000, false);
  expect(places()).toBe(PER_TARGET);
  answers(1, 2000, true);
  answers(1000, 2000, false);
  expect(places()).toBe(PER_TARGET);
});

it('attempts in flight count toward the places', () => {
  answers(1, 2000, true);
  expect([places(5), places(12)]).toEqual([3, -4]);
});

it('a target without further attempts is forgotten', () => {
  answers(4, 2000, true);
  now += 61_000;
  expect(places()).toBe(PER_TARGET);
});
