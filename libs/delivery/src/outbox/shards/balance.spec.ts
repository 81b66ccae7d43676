import { balance } from './balance.js';
import type { Leads } from './balance.js';

/** Describes workers by the shards that they lead. */
function leads(count: number, workers: number[][], own: number, overdue: number[] = []): Leads {
  const leaders = new Map(
    workers.flatMap((shards, worker) => shards.map((shard): [number, number] => [shard, worker])),
  );
  return { count, own, leaders, present: workers.map((_, worker) => worker), overdue: new Set(overdue) };
}

test.each([
  ['alone, a worker takes all shards immediately', leads(4, [[]], 0), { take: [0, 1, 2, 3], upTo: 4 }],
  [
    'of two workers that start together each takes half',
    leads(4, [[], []], 1),
    { take: [1, 2, 3, 0], upTo: 2 },
  ],
  ['a worker with its share takes no more while another has less', leads(4, [[0, 1], [2]], 0), { take: [] }],
  [
    'the remaining shard goes to a worker that has no more than any other',
    leads(4, [[0], [1], [2]], 2),
    { take: [3], upTo: 1 },
  ],
  [
    'but not to a worker that has more',
    leads(
      8,
      [
        [0, 1, 2],
        [3, 4],
        [5, 6],
      ],
      0,
    ),
    { take: [] },
  ],
  [
    'others do not wait for a worker that should take a shard but does not',
    leads(4, [[0, 1], [2]], 0, [3]),
    { take: [3], upTo: 1 },
  ],
  [
    'a worker gives up shards above its share for a new worker',
    leads(4, [[0, 1, 2, 3], []], 0),
    { give: [2, 3] },
  ],
  ['the new worker gives up none', leads(4, [[0, 1, 2, 3], []], 1), { give: [] }],
  ['one more than another worker is even', leads(4, [[0, 1], [2], [3]], 0), { give: [] }],
  ['two more are not', leads(4, [[0, 1], [2, 3], []], 0), { give: [1] }],
  ['no shard is given up while another one is free', leads(4, [[0, 1, 2], []], 0), { give: [] }],
])('%s', (_, seen, expected) => {
  expect(balance(seen)).toMatchObject(expected);
});

/**
 * Lets the workers act in turn until nothing changes.
 * @returns how many shards each leads
 */
function settle(count: number, workers: number[][]): number[] {
  for (let looks = 0; looks < 200; looks += 1) {
    const before = JSON.stringify(workers);
    workers.forEach((own, worker) => {
      const { take, upTo, give } = balance(leads(count, workers, worker));
      own.splice(0, own.length, ...own.filter((shard) => !give.includes(shard)), ...take.slice(0, upTo));
    });
    if (JSON.stringify(workers) === before) return workers.map((own) => own.length).sort();
  }
  throw new Error('they never come to rest');
}

test('after workers come and go, shards are evenly distributed, each with one leader', () => {
  const even = (count: number, size: number): number[] =>
    Array.from({ length: size }, (_, n) => Math.floor((count + n) / size)).sort();
  for (const count of [2, 4, 8, 16])
    for (const size of [1, 2, 3, 5, 20]) {
      const workers = Array.from({ length: size }, (): number[] => []);
      expect(settle(count, workers)).toEqual(even(count, size));
      workers.push([], []);
      expect(settle(count, workers)).toEqual(even(count, size + 2));
      workers.splice(0, 2);
      expect(settle(count, workers)).toEqual(even(count, size));
      expect(new Set(workers.flat()).size).toBe(count);
    }
});
