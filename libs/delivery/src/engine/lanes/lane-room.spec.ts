import { AttemptStarter } from './attempt-starter.js';
import { LaneRoom } from './lane-room.js';
import type { ReserveRates } from './lane-room.js';
import type { Result } from '../delivery.types.js';

const LIMITS = { capacity: 512, perTarget: 16, perTargetWithRoom: 64 };
const noisy = { spaceId: 'noisy', targetId: 'of noisy' };
const calm = { spaceId: 'calm', targetId: 'of calm' };
const withoutRates: ReserveRates = ({ inFlight }) => inFlight;

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

test('in a lane with little room no planned delivery gets a place', () => {
  const room = roomBeside([]);
  for (let n = 0; n < 0.7 * LIMITS.capacity; n += 1) room.places.take(noisy);
  expect(room.forPlanned(['calm'], withoutRates)).toBeUndefined();
});

/** Returns how many deliveries of a target get places. */
function placesOf(room: LaneRoom, one: typeof calm): number {
  const places = room.forPlanned([one.spaceId], withoutRates);
  let count = 0;
  while (places?.take(one)) count += 1;
  return count;
}

test('a target has 64 places while a quarter of the lane is taken at most, then 16', () => {
  const room = roomBeside([]);
  expect(placesOf(room, { ...calm, targetId: 'one' })).toBe(64);
  for (let n = 0; n < 64; n += 1) room.places.take({ ...calm, targetId: `busy ${n}` });
  expect(placesOf(room, { ...calm, targetId: 'two' })).toBe(64);
  expect(placesOf(room, { ...calm, targetId: 'three' })).toBe(16);
});

test('a slow target keeps its share when the lane has room again', () => {
  const room = roomBeside([]);
  for (let n = 0; n < LIMITS.capacity / 2; n += 1) room.places.take(noisy);
  room.recordAttempt({ delivery: calm, attempt: { durationMs: 2000 } } as Result);
  for (let n = 0; n < LIMITS.capacity / 2; n += 1) {
    room.places.freeTarget(noisy);
    room.places.free(noisy);
  }
  expect(placesOf(room, calm)).toBe(8);
});
