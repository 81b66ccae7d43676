import { setImmediate as turn } from 'node:timers/promises';
import { KeyedSemaphore, TurnMissed } from './keyed-semaphore.js';

const MINUTE = 60_000;

/** Work that the test ends. */
function heldWork(semaphore: KeyedSemaphore) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const take = (key: string, name: string): Promise<string> =>
    semaphore.run(key, () => {
      begun.push(name);
      return new Promise((resolve, reject) =>
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name))),
      );
    });
  return { begun, take, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}

it('limits the concurrent work of a key and keeps the order of the rest', async () => {
  const { begun, take, end } = heldWork(new KeyedSemaphore(2, MINUTE));
  const all = ['a', 'b', 'c', 'd'].map((name) => take('key', name));
  await turn();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  await turn();
  end('c');
  end('d');
  await expect(Promise.all(all)).resolves.toEqual(['a', 'b', 'c', 'd']);
});

it('keys do not wait for each other', async () => {
  const { begun, take, end } = heldWork(new KeyedSemaphore(1, MINUTE));
  const all = [take('one', 'a'), take('one', 'b'), take('two', 'c')];
  await turn();
  expect(begun).toEqual(['a', 'c']);
  // Work that never gets its turn would fail a minute later, in another test.
  end('a');
  end('c');
  await turn();
  end('b');
  await Promise.all(all);
});

it('failed work releases its turn', async () => {
  const { begun, take, end } = heldWork(new KeyedSemaphore(1, MINUTE));
  const failing = take('key', 'a');
  void take('key', 'b');
  await turn();
  end('a', new Error('refused'));
  await expect(failing).rejects.toThrow('refused');
  await turn();
  expect(begun).toEqual(['a', 'b']);
});

it('remembers nothing of a key whose work has ended', async () => {
  const semaphore = new KeyedSemaphore(1, MINUTE);
  await Promise.all(Array.from({ length: 5 }, () => semaphore.run('key', async () => undefined)));
  expect(semaphore).toEqual(new KeyedSemaphore(1, MINUTE));
});

it('work that waits too long is refused, and later work moves up', async () => {
  const semaphore = new KeyedSemaphore(1, 30);
  const { begun, take, end } = heldWork(semaphore);
  const first = take('key', 'a');
  await expect(take('key', 'b')).rejects.toThrow(TurnMissed);
  const third = take('key', 'c');
  end('a');
  await first;
  await turn();
  end('c');
  await expect(third).resolves.toBe('c');
  expect(begun).toEqual(['a', 'c']);
  expect(semaphore).toEqual(new KeyedSemaphore(1, 30));
});
