/**
 * Which worker leads which shard, as one worker sees it. Workers are identified by their sessions.
 */
export interface Leads {
  /** Number of shards. */
  count: number;
  /** The worker this plan is for. */
  own: number;
  /** All workers that are willing to lead, with the same number of shards. */
  present: readonly number[];
  /** The leader of each shard that has one. */
  leaders: ReadonlyMap<number, number>;
  /**
   * Shards that the designated worker has not taken within `OVERDUE_MS`, so that others may take
   * them.
   */
  overdue: ReadonlySet<number>;
}

/** Shards to try for until `upTo` are won, and shards to hand over. */
export interface Moves {
  take: number[];
  upTo: number;
  give: number[];
}

/**
 * Plans a worker's next steps toward an even distribution, in which the counts differ by at most
 * one. The worker takes free shards up to its share, and one more if no worker has fewer. It gives
 * up shards above that, unless some are free.
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
    // Workers that start together try different shards first.
    const start = own % free.length;
    const take = wanted > 0 ? [...free.slice(start), ...free.slice(0, start)] : late;
    return { take, upTo: Math.max(wanted, 1), give: [] };
  }
  const above = Math.max(mine.length - Math.ceil(count / led.size), mine.length - fewest >= 2 ? 1 : 0);
  return { take: [], upTo: 0, give: above > 0 ? mine.slice(-above) : [] };
}
