import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { jest } from '@jest/globals';
import { eventually } from '@tieline/testing';
import { IdleMemory } from './idle-memory.js';

const LOOK_MS = 300;
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
  releases = 0;
  memory = new IdleMemory();
  memory.watch(LOOK_MS);
});
afterEach(() => memory.onModuleDestroy());

const heap = (): number => process.memoryUsage().heapTotal;
/** Fills 320 MB with what is garbage afterwards. */
const load = (): number => Array.from({ length: 40 }, () => new Array<number>(MB).fill(0.5)).length;
/** Waits for a release. Looks rarely, because each failed look would be work of an idle process. */
const released = (n: number): Promise<boolean> => eventually(() => releases === n, { everyMs: LOOK_MS });

test('an idle process gives the memory of a load back', async () => {
  await released(1);
  const before = heap();
  load();
  expect(heap()).toBeGreaterThan(before + 100 * MB);
  await released(2);
  expect(heap()).toBeLessThan(before + 100 * MB);
});

test('a heap that has not grown is left alone', async () => {
  await released(1);
  const looks = jest.spyOn(process, 'memoryUsage');
  await eventually(() => looks.mock.calls.length >= 3, { everyMs: LOOK_MS });
  looks.mockRestore();
  expect(releases).toBe(1);
});

test('a busy process is left alone', async () => {
  const end = Date.now() + 4 * LOOK_MS;
  while (Date.now() < end) await setImmediate(load());
  expect(releases).toBe(0);
});
