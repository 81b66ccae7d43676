import { Signal } from './signal.js';

test('a notification ends the wait', async () => {
  const signal = new Signal();
  const waited = signal.wait(60_000);
  signal.notify();
  expect(await waited).toBe(true);
});

test('a notification before the wait counts once', async () => {
  const signal = new Signal();
  signal.notify();
  signal.notify();
  expect([await signal.wait(60_000), await signal.wait(1)]).toEqual([true, false]);
});

test('returns false when the time is up, immediately without time', async () => {
  const signal = new Signal();
  expect([await signal.wait(5), await signal.wait(0), await signal.wait(-1)]).toEqual([false, false, false]);
});
