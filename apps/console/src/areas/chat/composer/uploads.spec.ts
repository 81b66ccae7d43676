import { Uploads } from './uploads.js';
import type { Upload } from './uploads.js';

const file = (name: string): File => ({ name, size: 5 }) as File;
const names = (uploads: Uploads) => uploads.snapshot().map(({ file: { name } }) => name);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Uploads that the test completes. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, { done: () => void; fail: (failure: unknown) => void; signal: AbortSignal }>();
  const upload: Upload = ({ name }, { signal, onProgress }) =>
    new Promise((resolve, reject) => {
      begun.push(name);
      onProgress(0.5);
      ends.set(name, { done: () => resolve(`id of ${name}`), fail: reject, signal });
      signal.addEventListener('abort', () => reject(new DOMException('cancelled', 'AbortError')));
    });
  return { uploads: new Uploads(upload), begun, ends };
}

test('runs three concurrently, in order, and returns them together once all are ready', async () => {
  const { uploads, begun, ends } = held();
  expect(uploads.take()).toEqual([]);
  expect(uploads.add(['a', 'b', 'c', 'd'].map(file))).toBe(true);
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(uploads.snapshot().map(({ part }) => part)).toEqual([0.5, 0.5, 0.5, 0]);
  for (const name of ['b', 'a', 'c']) ends.get(name)?.done();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  expect(uploads.take()).toBeUndefined();
  ends.get('d')?.done();
  await settled();
  expect(uploads.take()).toEqual(['a', 'b', 'c', 'd'].map((name) => ({ id: `id of ${name}`, name })));
  expect(uploads.snapshot()).toEqual([]);
});

test('aborts a removed upload and continues with the next', async () => {
  const { uploads, begun, ends } = held();
  uploads.add(['a', 'b', 'c', 'd'].map(file));
  uploads.remove(uploads.snapshot()[0]?.key ?? '');
  await settled();
  expect([ends.get('a')?.signal.aborted, names(uploads), begun.at(-1)]).toEqual([true, ['b', 'c', 'd'], 'd']);
});

test('keeps the others after a failure and retries the failed one', async () => {
  const { uploads, begun, ends } = held();
  uploads.add(['a', 'b'].map(file));
  ends.get('a')?.fail(new Error('away'));
  ends.get('b')?.done();
  await settled();
  expect(uploads.snapshot().map(({ failure, id }) => [String(failure), id])).toEqual([
    ['Error: away', undefined],
    ['undefined', 'id of b'],
  ]);
  expect(uploads.take()).toBeUndefined();
  uploads.retry(uploads.snapshot()[0]?.key ?? '');
  expect(begun).toEqual(['a', 'b', 'a']);
  ends.get('a')?.done();
  await settled();
  expect(uploads.take()?.map(({ name }) => name)).toEqual(['a', 'b']);
});

test('accepts up to fifteen', () => {
  const { uploads } = held();
  expect(uploads.add(Array.from({ length: 14 }, (_, n) => file(`${n}`)))).toBe(true);
  expect(uploads.add([file('15'), file('16')])).toBe(false);
  expect(names(uploads).at(-1)).toBe('15');
});

test('aborts all uploads when the user leaves', async () => {
  const { uploads, ends } = held();
  uploads.add([file('a')]);
  uploads.close();
  await settled();
  expect([ends.get('a')?.signal.aborted, uploads.snapshot()]).toEqual([true, []]);
});
