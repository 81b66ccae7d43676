import { jest } from '@jest/globals';
import { LANES } from '../claims/claim-deliveries.js';
import type { Lane } from '../claims/claim-deliveries.js';
import type { LaneClaim } from './lane-parts.js';
import { RateWindows } from './rate-windows.js';

let windows: RateWindows;
let opened: number;
beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
  opened = 0;
  windows = new RateWindows();
  windows.onOpen(() => (opened += 1));
});
afterEach(() => jest.useRealTimers());

const claim = (inFlight: Record<string, number> = {}, lane: Lane = LANES.first): LaneClaim => ({
  lane,
  limit: 512,
  perTarget: 16,
  places: new Map(),
  inFlight: new Map(Object.entries(inFlight)),
  afterTarget: '',
});
/** Returns the places that a claim may fill for the target `slow`. */
const places = (inFlight = 0, lane?: Lane): number =>
  16 - (windows.withReserved(claim({ slow: inFlight }, lane)).inFlight.get('slow') ?? 0);

it('a target that used up its rate is not claimed until the window ends', () => {
  const until = windows.recordGrant('slow', 5, 5, 3);
  expect([until?.getTime(), places()]).toEqual([1_001_000, 0]);
  jest.advanceTimersByTime(999);
  expect([places(), opened]).toEqual([0, 0]);
  jest.advanceTimersByTime(2);
  expect([places(), opened]).toEqual([5, 1]);
});

it('setting the clock back by an hour does not keep a window closed', () => {
  windows.recordGrant('slow', 5, 5, 3);
  jest.setSystemTime(Date.now() - 3_600_000);
  jest.advanceTimersByTime(1000);
  expect(places()).toBe(5);
});

it('the next window starts with its first grant', () => {
  windows.recordGrant('slow', 5, 5, 3);
  jest.advanceTimersByTime(1200);
  expect(windows.recordGrant('slow', 5, 3, 0)).toBeUndefined();
  jest.advanceTimersByTime(700);
  expect(windows.recordGrant('slow', 5, 2, 1)?.getTime()).toBe(1_002_200);
});

it('a window used up by other workers is tried again soon', () => {
  expect(windows.recordGrant('slow', 5, 0, 5)?.getTime()).toBe(1_000_100);
});

it('attempts in flight count toward the places of a rate', () => {
  windows.recordGrant('slow', 5, 5, 3);
  jest.advanceTimersByTime(1000);
  expect([places(3), places(12)]).toEqual([5, 4]);
});

it('test sends, other targets and rates above the places are not limited', () => {
  windows.recordGrant('slow', 5, 5, 3);
  windows.recordGrant('fast', 100, 100, 3);
  expect(places(0, LANES.test)).toBe(16);
  expect(windows.withReserved(claim({ other: 3 })).inFlight.get('other')).toBe(3);
  jest.advanceTimersByTime(1000);
  expect(windows.withReserved(claim()).inFlight.get('fast')).toBe(0);
});

it('a target that stayed within its rate for long is forgotten', () => {
  windows.recordGrant('slow', 5, 5, 3);
  jest.advanceTimersByTime(12_000);
  windows.withReserved(claim());
  expect(places()).toBe(16);
});
