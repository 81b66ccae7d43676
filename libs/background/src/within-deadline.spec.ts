import { doneWithin, withinDeadline } from './within-deadline.js';

const never = new Promise<never>(() => undefined);

test('returns the result of the work, and leaves no timer', async () => {
  const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  await expect(withinDeadline(Promise.resolve(1), 60_000, 'no answer')).resolves.toBe(1);
  await expect(withinDeadline(Promise.reject(new Error('refused')), 60_000, 'no answer')).rejects.toThrow(
    'refused',
  );
  expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
});

test('rejects after the deadline and ignores late results', async () => {
  let fail: (error: Error) => void = () => undefined;
  const work = new Promise<never>((_, reject) => (fail = reject));
  await expect(withinDeadline(work, 5, 'no answer')).rejects.toThrow('no answer within 5 ms');
  fail(new Error('too late'));
  await expect(withinDeadline(never, 1, 'nothing')).rejects.toThrow('nothing within 1 ms');
});

test('doneWithin tells whether the work was done in time', async () => {
  expect([await doneWithin(Promise.resolve(), 60_000), await doneWithin(never, 1)]).toEqual([true, false]);
  await expect(doneWithin(Promise.reject(new Error('refused')), 60_000)).rejects.toThrow('refused');
});
