import { AttemptStarter } from './attempt-starter.js';
import { LaneRoom } from './lane-room.js';

const LIMITS = { capacity: 512, perTarget: 16 };
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

test('in a lane with little room no planned delivery gets a place', () => {
  const room = roomBeside([]);
  for (let n = 0; n < 0.7 * LIMITS.capacity; n += 1) room.places.take(noisy);
  expect(room.forPlanned(['calm'], withoutRates)).toBeUndefined();
});
