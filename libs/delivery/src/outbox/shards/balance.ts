/** Who leads what, as one worker sees it; workers are named by their sessions. */
export interface Leads {
  /** How many shards there are. */
  count: number;
  /** The worker that looks. */
  own: number;
  /** All workers that would lead, with the same number of shards. */
  present: readonly number[];
  /** Who leads which shard, where somebody does. */
  leaders: ReadonlyMap<number, number>;
  /** Shards that nobody has led for so long that whoever should take them doesn't. */
  overdue: ReadonlySet<number>;
}

/** Shards to try for, until so many are won, or to give up for somebody else. */
export interface Moves {
  take: number[];
  upTo: number;
  give: number[];
}

/**
 * What a worker does for an even share: everybody leads as many as everybody else, or one more. It
 * takes what is free up to its share, and one more when nobody has fewer; it gives up what is above
 * that, and nothing while something is free.
 */
export function balance({ count, own, present, leaders, overdue }: Leads): Moves {
  const led = new Map<number, number[]>([
    [own, []],
    ...present.map((worker): [number, number[]] => [worker, []]),
  ]);
  for (const [shard, worker] of leaders) led.get(worker)?.push(shard);
  const mine = led.get(own) ?? [];
  const fewest = Math.min(...[...led.values()].map((shards) => shards.length));
  const share = Math.floor(count / led.size);
  const free = Array.from({ length: count }, (_, shard) => shard).filter((shard) => !leaders.has(shard));
  if (free.length > 0) {
    const isNext = mine.length <= fewest && mine.length * led.size < count;
    const wanted = Math.max(share - mine.length, isNext ? 1 : 0);
    const late = free.filter((shard) => overdue.has(shard));
    // Workers that come together begin at different ones.
    const start = own % free.length;
    const take = wanted > 0 ? [...free.slice(start), ...free.slice(0, start)] : late;
    return { take, upTo: Math.max(wanted, 1), give: [] };
  }
  const above = Math.max(mine.length - Math.ceil(count / led.size), mine.length - fewest >= 2 ? 1 : 0);
  return { take: [], upTo: 0, give: above > 0 ? mine.slice(-above) : [] };
}
