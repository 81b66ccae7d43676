import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { IdleMemory } from './idle-memory.js';

const MB = 2 ** 20;
let releases = 0;
let memory: IdleMemory;

beforeAll(() => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as NodeJS.GCFunction;
  globalThis.gc = ((options?: NodeJS.GCOptions) => {
    if (options) releases += 1;
    return options ? gc(options) : gc();
  }) as NodeJS.GCFunction;
});
afterAll(() => {
  delete globalThis.gc;
});
beforeEach(() => {
  // V8 may collect a load while a test waits, and then nothing is left to release.
  jest.useFakeTimers();
  releases = 0;
  memory = new IdleMemory();
});
afterEach(() => {
  memory.onModuleDestroy();
  jest.useRealTimers();
});

const heap = (): number => process.memoryUsage().heapTotal;
/** Doubles the heap with what is garbage afterwards. */
function load(): void {
  const kept: number[][] = [];
  const enough = 2 * heap();
  while (heap() < enough) kept.push(new Array<number>(MB).fill(0.5));
}

test('an idle process gives the memory of a load back', () => {
  const lookMs = 60_000;
  memory.watch(lookMs);
  jest.advanceTimersByTime(lookMs);
  expect(releases).toBe(1);
  const before = heap();
  load();
  expect(heap()).toBeGreaterThan(1.9 * before);
  // The load may keep the process busy until the first look.
  jest.advanceTimersByTime(2 * lookMs);
  expect(releases).toBe(2);
  expect(heap()).toBeLessThan(1.5 * before);
});

test('a heap that has not grown is left alone', () => {
  const lookMs = 60_000;
  memory.watch(lookMs);
  jest.advanceTimersByTime(5 * lookMs);
  expect(releases).toBe(1);
});

test('a busy process is left alone', () => {
  const lookMs = 100;
  memory.watch(lookMs);
  for (let look = 0; look < 3; look += 1) {
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < lookMs * 200);
    jest.advanceTimersByTime(lookMs);
  }
  expect(releases).toBe(0);
});
