import { HeldIntervals } from './held-intervals.js';

let intervals: HeldIntervals;
let ran: string[];
beforeEach(() => {
  ran = [];
  intervals = new HeldIntervals(200, 500);
});
afterEach(() => intervals.release());

const every = (ms: number): NodeJS.Timeout => setInterval(() => ran.push(`${ms}`), ms).unref();

test('held intervals run in order of time, only while time passes', async () => {
  every(500);
  every(200);
  await intervals.pass(199);
  expect(ran).toEqual([]);
  await intervals.pass(1);
  expect(ran).toEqual(['200']);
  await intervals.pass(400);
  expect(ran).toEqual(['200', '200', '500', '200']);
});

test('a period that nothing uses is an error', async () => {
  every(500);
  await expect(intervals.pass(1000)).rejects.toThrow('no interval of 200 ms was set');
});

test('a cleared interval runs no more', async () => {
  every(500);
  const timer = every(200);
  await intervals.pass(200);
  clearInterval(timer);
  await intervals.pass(299);
  expect(ran).toEqual(['200']);
});

test('other periods pass by themselves', async () => {
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => (clearInterval(timer), resolve()), 1);
  });
});

test('after release nothing is held', () => {
  const held = setInterval;
  intervals.release();
  expect(setInterval).not.toBe(held);
});
