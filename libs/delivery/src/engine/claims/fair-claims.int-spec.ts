import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { claimDeliveries, LANES, NIL } from './claim-deliveries.js';
import type { ClaimedDelivery } from '../delivery.types.js';

const CAPACITY = 512;
/** Longer than a test takes on a busy machine. */
const LEASE_MS = 3_600_000;

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
beforeEach(() => db.query('TRUNCATE delivery_queue'));
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/**
 * Inserts deliveries of a new space into the queue.
 * @returns the space
 */
async function fill(targets: number, perTarget: number): Promise<string> {
  const spaceId = uuidv7();
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts)
     SELECT gen_random_uuid(), $1, 'outgoing', t.id, 8
     FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $2::int)) t, generate_series(1, $3::int)`,
    [spaceId, targets, perTarget],
  );
  return spaceId;
}

/** A worker's lane. Tests decide when attempts end. */
class Worker {
  private held: ClaimedDelivery[] = [];

  get free(): number {
    return CAPACITY - this.held.length;
  }

  async claim(): Promise<number> {
    const { deliveries } = await claimDeliveries(db, {
      lane: LANES.first,
      limit: this.free,
      perTarget: 16,
      inFlight: this.countBy(({ targetId }) => targetId),
      places: this.countBy(({ spaceId }) => spaceId),
      probes: [],
      afterTarget: NIL,
      owner: 1,
      leaseMs: LEASE_MS,
    });
    this.held.push(...deliveries);
    return deliveries.length;
  }

  /** Claims until there is nothing left to claim. */
  async fillUp(): Promise<void> {
    while ((await this.claim()) > 0);
  }

  /** Ends attempts of the space. */
  end(space: string, count: number): void {
    let left = count;
    this.held = this.held.filter(({ spaceId }) => spaceId !== space || left-- <= 0);
  }

  of(space: string): number {
    return this.held.filter(({ spaceId }) => spaceId === space).length;
  }

  get targets(): Set<string> {
    return new Set(this.held.map(({ targetId }) => targetId));
  }

  private countBy(id: (one: ClaimedDelivery) => string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const one of this.held) counts.set(id(one), (counts.get(id(one)) ?? 0) + 1);
    return counts;
  }
}

test('300 slow subscriptions of one space fill seven eighths of a lane, and deliveries of others get the rest immediately', async () => {
  const flood = await fill(300, 20);
  const worker = new Worker();
  await worker.fillUp();
  expect(worker.of(flood)).toBe((CAPACITY * 7) / 8);
  const other = await fill(3, 10);
  await worker.claim();
  expect(worker.of(other)).toBe(30);
});

test('a claim takes at most `perSpace` deliveries of each space, except the only active one', async () => {
  const [busy, quiet] = [await fill(40, 10), await fill(1, 3)];
  const claim = async (onlySpace?: string): Promise<number[]> => {
    const { deliveries } = await claimDeliveries(db, {
      lane: LANES.first,
      limit: 200,
      perTarget: 16,
      perSpace: 32,
      onlySpace,
      inFlight: new Map(),
      places: new Map(),
      probes: [],
      afterTarget: NIL,
      owner: 1,
      leaseMs: LEASE_MS,
    });
    return [busy, quiet].map((space) => deliveries.filter(({ spaceId }) => spaceId === space).length);
  };
  expect(await claim()).toEqual([32, 3]);
  expect(await claim(quiet)).toEqual([32, 0]);
  expect((await claim(busy))[0]).toBeGreaterThan(64);
});

test('a noisy space shares its places with waiting spaces, and gets them back afterwards', async () => {
  const flood = await fill(300, 20);
  const worker = new Worker();
  await worker.fillUp();
  const other = await fill(60, 20);
  for (let round = 0; round < 20; round += 1) {
    worker.end(flood, 16);
    await worker.claim();
  }
  await worker.fillUp();
  const alone = (CAPACITY * 7) / 8;
  expect(worker.of(other)).toBeGreaterThan(alone / 2 - 40);
  expect(worker.of(flood)).toBeLessThan(alone / 2 + 40);
  await db.query('DELETE FROM delivery_queue WHERE space_id = $1', [other]);
  worker.end(other, CAPACITY);
  await worker.fillUp();
  expect(worker.of(flood)).toBe(alone);
});

test('spaces that start together get equal shares and leave free places', async () => {
  const floods = await Promise.all([1, 2, 3].map(() => fill(100, 20)));
  const worker = new Worker();
  await worker.claim();
  for (const flood of floods) expect(worker.of(flood)).toBeGreaterThan(100);
  await worker.fillUp();
  for (const flood of floods) expect(worker.of(flood)).toBeLessThan(CAPACITY / 3 + 8);
  expect(worker.free).toBeGreaterThan(0);
});

test('the space with the fewest places gets the last ones first', async () => {
  const floods = await Promise.all(Array.from({ length: 40 }, () => fill(10, 20)));
  const worker = new Worker();
  await worker.fillUp();
  const other = await fill(1, 10);
  const few = worker.free;
  for (const flood of floods) worker.end(flood, 1);
  await worker.claim();
  expect(worker.of(other)).toBeGreaterThanOrEqual(Math.min(10, few));
});

test('single deliveries to many targets of a space are claimed together', async () => {
  await fill(300, 1);
  const worker = new Worker();
  await worker.claim();
  expect(worker.targets.size).toBe(300);
});

test('targets of a noisy space are claimed in random order', async () => {
  const flood = await fill(60, 100);
  const served = new Set<string>();
  for (let round = 0; round < 30; round += 1) {
    const worker = new Worker();
    await worker.claim();
    for (const target of worker.targets) served.add(target);
    await db.query('UPDATE delivery_queue SET lease_until = NULL WHERE space_id = $1', [flood]);
  }
  expect(served.size).toBe(60);
});

test('a claim by target takes only their deliveries, within the limits of space and target', async () => {
  const flood = await fill(40, 20);
  const calm = await fill(3, 20);
  const rows = await readRows<{ target_id: string; space_id: string }>(
    db,
    'SELECT DISTINCT target_id, space_id FROM delivery_queue ORDER BY target_id',
  );
  const spaceOf = new Map(rows.map(({ target_id: target, space_id: space }) => [target, space]));
  const [inFlight = '', other = ''] = [...spaceOf].flatMap(([id, space]) => (space === calm ? id : []));
  const [ofFlood = ''] = [...spaceOf].flatMap(([id, space]) => (space === flood ? id : []));
  const only = new Map([inFlight, other, ofFlood].map((id) => [id, spaceOf.get(id) as string]));
  const { deliveries, lastTarget } = await claimDeliveries(db, {
    lane: LANES.first,
    limit: 64,
    perTarget: 16,
    inFlight: new Map([[inFlight, 14]]),
    places: new Map([[flood, 448]]),
    probes: [],
    afterTarget: NIL,
    only,
    owner: 1,
    leaseMs: LEASE_MS,
  });
  const countOf = (id: string): number => deliveries.filter(({ targetId }) => targetId === id).length;
  expect([countOf(inFlight), countOf(other), countOf(ofFlood)]).toEqual([2, 16, 0]);
  expect([deliveries.length, lastTarget]).toEqual([18, undefined]);
});

/** Deliveries of a claim whose target has `inFlight` of 16 places, and whether it was limited. */
async function claimed(
  more: { inFlight?: number; places?: number; limit?: number; by?: 'target' } = {},
): Promise<[number, boolean]> {
  const [row] = await readRows<{ target: string; space: string }>(
    db,
    'SELECT target_id AS target, space_id AS space FROM delivery_queue',
  );
  const { target, space } = row!;
  const { deliveries, isLimited } = await claimDeliveries(db, {
    lane: LANES.first,
    limit: more.limit ?? 64,
    perTarget: 16,
    inFlight: new Map([[target, more.inFlight ?? 0]]),
    places: new Map([[space, more.places ?? 0]]),
    probes: [],
    afterTarget: NIL,
    ...(more.by && { only: new Map([[target, space]]) }),
    owner: 1,
    leaseMs: LEASE_MS,
  });
  return [deliveries.length, isLimited];
}

describe.each([undefined, 'target'] as const)('a claim (by %s) says whether it may have left', (by) => {
  test.each([
    ['nothing out', { inFlight: 11 }, [4, false]],
    ['out a delivery because the target got its last place', { inFlight: 12 }, [4, true]],
    ['out a delivery because the target had no place', { inFlight: 16 }, [0, true]],
    ['out a delivery because the space got its last place', { places: 420 }, [4, true]],
    ['out a delivery because the space had no place', { places: 448 }, [0, true]],
    ['out a delivery because the lane got its last place', { limit: 3 }, [3, true]],
  ])('%s', async (_what, more, expected) => {
    await fill(1, 4);
    expect(await claimed({ ...more, ...(by && { by }) })).toEqual(expected);
  });

  test('nothing out of a target with an open breaker, except beside its probe', async () => {
    await fill(1, 4);
    await db.query(`INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
      SELECT DISTINCT target_id, space_id, kind, 10, now() + interval '1 hour' FROM delivery_queue`);
    expect(await claimed(by && { by })).toEqual([0, false]);
    await db.query('TRUNCATE delivery_targets');
  });
});

test('a claim that gave out all places of a lane to many spaces says that it may have left something out', async () => {
  for (let space = 0; space < 20; space += 1) await fill(1, 3);
  expect(await claimed({ limit: 57 })).toEqual([57, true]);
});

test('the last free place of a lane is given out', async () => {
  await fill(1, 600);
  const { deliveries } = await claimDeliveries(db, {
    lane: LANES.first,
    limit: 1,
    perTarget: 16,
    inFlight: new Map(),
    places: new Map(),
    probes: [],
    afterTarget: NIL,
    owner: 1,
    leaseMs: LEASE_MS,
  });
  expect(deliveries).toHaveLength(1);
});
