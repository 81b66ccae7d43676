import { TargetShares } from './target-shares.js';

const PER_TARGET = 16;
let shares: TargetShares;
let now: number;
beforeEach(() => {
  shares = new TargetShares(PER_TARGET);
  now = 0;
});

const places = (inFlight = 0): number =>
  PER_TARGET - (shares.withReserved(new Map([['one', inFlight]]), 0, now).get('one') ?? 0);
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

it('a target has more places while it keeps answering quickly', () => {
  const left = (id: string): number =>
    PER_TARGET - (shares.withReserved(new Map([[id, 16]]), 48, now).get(id) ?? 0);
  answers(1, 10, false);
  expect([left('one'), left('hanging')]).toEqual([48, 0]);
  now += 1000;
  expect(left('one')).toBe(0);
});

it('a target that lost places in a crowded lane gets none in addition', () => {
  answers(1, 2000, true);
  answers(1, 10, false);
  expect(PER_TARGET - (shares.withReserved(new Map(), 48, now).get('one') ?? 0)).toBe(8);
});

it('remembers 1,000 quick targets', () => {
  const has = (id: string): boolean => shares.withReserved(new Map([[id, 0]]), 48, now).get(id) === -48;
  for (let n = 0; n <= 1000; n += 1) shares.recordAttempt(`target ${n}`, 1, false, now);
  expect([has('target 0'), has('target 1'), has('target 1000')]).toEqual([false, true, true]);
});
