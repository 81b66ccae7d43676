import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { v7 as uuidv7 } from 'uuid';
import { claimDeliveries, LANES, NIL } from './claim-deliveries.js';
import type { ClaimedDelivery } from '../delivery.types.js';

const CAPACITY = 512;

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

/** Puts deliveries of a new space into the queue. @returns the space */
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

/** A worker whose attempts never end. */
class Worker {
  readonly held: ClaimedDelivery[] = [];

  async claim(): Promise<ClaimedDelivery[]> {
    const { deliveries } = await claimDeliveries(db, {
      lane: LANES.first,
      limit: CAPACITY - this.held.length,
      perTarget: 16,
      inFlight: this.countBy(({ targetId }) => targetId),
      places: this.countBy(({ spaceId }) => spaceId),
      probes: [],
      afterTarget: NIL,
      owner: 1,
      leaseMs: 60_000,
    });
    this.held.push(...deliveries);
    return deliveries;
  }

  /** Claims until there is nothing more to be had. */
  async fillUp(): Promise<void> {
    while ((await this.claim()).length > 0);
  }

  of(space: string): number {
    return this.held.filter(({ spaceId }) => spaceId === space).length;
  }

  private countBy(id: (one: ClaimedDelivery) => string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const one of this.held) counts.set(id(one), (counts.get(id(one)) ?? 0) + 1);
    return counts;
  }
}

test('300 slow subscriptions of one space leave half of a lane to others, whose deliveries are claimed at once', async () => {
  const flood = await fill(300, 20);
  const worker = new Worker();
  await worker.fillUp();
  expect(worker.of(flood)).toBe(CAPACITY / 2);
  const other = await fill(3, 10);
  await worker.claim();
  expect(worker.of(other)).toBe(30);
});

test('two spaces that flood leave about a third of it', async () => {
  const floods = [await fill(300, 20), await fill(90, 20)];
  const worker = new Worker();
  await worker.fillUp();
  for (const flood of floods) expect(worker.of(flood)).toBeGreaterThan(CAPACITY / 5);
  expect(CAPACITY - worker.held.length).toBeGreaterThan(CAPACITY / 5);
  const other = await fill(5, 10);
  await worker.claim();
  expect(worker.of(other)).toBeGreaterThanOrEqual(20);
});

test('a share is spread over all targets of its space', async () => {
  await fill(200, 20);
  const worker = new Worker();
  await worker.claim();
  expect(new Set(worker.held.map(({ targetId }) => targetId)).size).toBe(200);
});

test('a lane full but for one place gives it', async () => {
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
    leaseMs: 60_000,
  });
  expect(deliveries).toHaveLength(1);
});
