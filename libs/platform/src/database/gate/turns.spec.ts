import { setImmediate as turn } from 'node:timers/promises';
import { TurnMissed, Turns } from './turns.js';

const MINUTE = 60_000;

/** Work that the test ends. */
function heldWork(turns: Turns) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const take = (key: string, name: string): Promise<string> =>
    turns.take(key, () => {
      begun.push(name);
      return new Promise((resolve, reject) =>
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name))),
      );
    });
  return { begun, take, end: (name: string, failure?: Error) => ends.get(name)?.(failure) };
}

it('limits the concurrent work of a key and keeps the order of the rest', async () => {
  const { begun, take, end } = heldWork(new Turns(2, MINUTE));
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
  const { begun, take } = heldWork(new Turns(1, MINUTE));
  void take('one', 'a');
  void take('one', 'b');
  void take('two', 'c');
  await turn();
  expect(begun).toEqual(['a', 'c']);
});

it('failed work releases its turn', async () => {
  const { begun, take, end } = heldWork(new Turns(1, MINUTE));
  const failing = take('key', 'a');
  void take('key', 'b');
  await turn();
  end('a', new Error('refused'));
  await expect(failing).rejects.toThrow('refused');
  await turn();
  expect(begun).toEqual(['a', 'b']);
});

it('remembers nothing of a key whose work has ended', async () => {
  const turns = new Turns(1, MINUTE);
  await Promise.all(Array.from({ length: 5 }, () => turns.take('key', async () => undefined)));
  expect(turns).toEqual(new Turns(1, MINUTE));
});

it('work that waits too long is refused, and later work moves up', async () => {
  const turns = new Turns(1, 30);
  const { begun, take, end } = heldWork(turns);
  const first = take('key', 'a');
  await expect(take('key', 'b')).rejects.toThrow(TurnMissed);
  const third = take('key', 'c');
  end('a');
  await first;
  await turn();
  end('c');
  await expect(third).resolves.toBe('c');
  expect(begun).toEqual(['a', 'c']);
  expect(turns).toEqual(new Turns(1, 30));
});
