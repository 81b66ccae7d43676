import { AttemptStarter } from './attempt-starter.js';
import { LaneRoom } from './lane-room.js';
import type { Result } from '../delivery.types.js';

const LIMITS = { capacity: 512, perTarget: 16, perQuickTarget: 64 };
const noisy = { spaceId: 'noisy', targetId: 'of noisy' };
const calm = { spaceId: 'calm', targetId: 'of calm' };
const withoutRates = (inFlight: ReadonlyMap<string, number>): ReadonlyMap<string, number> => inFlight;

function roomBeside(rationed: string[]): LaneRoom {
  const room = new LaneRoom(LIMITS, new AttemptStarter());
  room.rationed = new Set(rationed);
  return room;
}

test('beside a space that got its full ration, deliveries of other spaces get places when they are planned', () => {
  const places = roomBeside(['noisy']).forPlanned(['noisy', 'calm'], withoutRates);
  expect([places?.take(noisy), places?.take(calm)]).toEqual([false, true]);
});

test('a transaction that plans only for spaces with full rations gets no places', () => {
  expect(roomBeside(['noisy']).forPlanned(['noisy'], withoutRates)).toBeUndefined();
});

/** Returns how many of 200 planned deliveries get places, each of another target. */
const countPlaces = (room: LaneRoom, { spaceId }: typeof noisy): number => {
  const places = room.forPlanned([spaceId], withoutRates);
  return Array.from({ length: 200 }, (_, n) => places?.take({ spaceId, targetId: `${spaceId}-${n}` })).filter(
    (isTaken) => isTaken === true,
  ).length;
};

test('in a lane with little room planned deliveries of a space get places while it has fewer than are free', () => {
  const room = roomBeside([]);
  for (let n = 0; n < 412; n += 1) room.places.take(noisy);
  expect(countPlaces(room, calm)).toBe(50);
  expect(countPlaces(room, noisy)).toBe(0);
});

test('a full lane has no places for planned deliveries', () => {
  const room = roomBeside([]);
  for (let n = 0; n < LIMITS.capacity; n += 1) room.places.take(noisy);
  expect(room.forPlanned(['calm'], withoutRates)).toBeUndefined();
});

test('planned deliveries of a space that is alone leave three eighths of the lane to others', () => {
  const room = roomBeside([]);
  for (let n = 0; n < 250; n += 1) room.places.take(noisy);
  expect(countPlaces(room, noisy)).toBe(512 - 250 - 191);
});

test('a quick target has 64 places while at most a quarter of the lane is taken, then 16', () => {
  const room = roomBeside([]);
  const free = (): number => LIMITS.perTarget - (room.inFlight.get(calm.targetId) ?? 0);
  room.places.take(calm);
  expect(free()).toBe(15);
  room.recordAttempt({ delivery: calm, attempt: { durationMs: 10 } } as Result);
  expect(free()).toBe(63);
  for (let n = 1; n < 128; n += 1) room.places.take(noisy);
  expect(free()).toBe(63);
  room.places.take(noisy);
  expect(free()).toBe(15);
});

/** A lane of which more than a quarter is taken, after walks that found this many deliveries. */
function roomAfterWalks(...found: [number, boolean][]): LaneRoom {
  const room = roomBeside([]);
  for (let n = 0; n < 150; n += 1) room.places.take(noisy);
  for (const [count, isLast] of found) room.recordWalk(count, isLast);
  room.rest(performance.now());
  return room;
}

test.each<[boolean, string, [number, boolean][]]>([
  [true, '16 deliveries', [[16, true]]],
  [false, '15', [[15, true]]],
  [true, '15 on a page that is not the last', [[15, false]]],
  [
    true,
    '16 on two pages',
    [
      [15, false],
      [1, true],
    ],
  ],
  [
    false,
    '1, after one that found 16',
    [
      [16, true],
      [1, true],
    ],
  ],
])('a walk may start immediately: %j, if the latest one found %s', (allows, _, found) => {
  expect(roomAfterWalks(...found).allowsWalk).toBe(allows);
});

test('in a lane that is hardly used a walk may start immediately, even if the latest one found nothing', () => {
  const room = roomBeside([]);
  room.recordWalk(0, true);
  room.rest(performance.now());
  expect(room.allowsWalk).toBe(true);
});
