import { uuidv7 } from 'uuidv7';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import type { ClaimedDelivery } from '../delivery.types.js';
import { LANES, NIL } from './claim-deliveries.js';
import type { Lane } from './claim-deliveries.js';
import { DeliveryClaims } from './delivery-claims.js';
import { LeaseOwner } from './lease-owner.js';

/** Longer than a test takes on a busy machine. */
const LEASE_MS = 3_600_000;

let database: TestDatabase;
let db: Db;
let owner: LeaseOwner;
let claims: DeliveryClaims;

beforeEach(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  owner = new LeaseOwner(database.url);
  claims = new DeliveryClaims(db, owner, LEASE_MS);
});
afterEach(async () => {
  await owner.close();
  await db.close();
  await database.drop();
});

test('deliveries of one target are claimed in order of arrival, whatever the order of their rows', async () => {
  const ids = Array.from({ length: 60 }, () => uuidv7());
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
     SELECT id, $1, 'outgoing', $2, $3, now() - interval '1 minute', 8 FROM unnest($4::uuid[]) id`,
    [uuidv7(), uuidv7(), LANES.first, [...ids].reverse()],
  );
  const request = {
    lane: LANES.first,
    limit: 128,
    perTarget: 64,
    inFlight: new Map(),
    places: new Map(),
    afterTarget: NIL,
  };
  expect((await claims.claim(request)).deliveries.map(({ id }) => id)).toEqual(ids);
});

test('a quick target, whose places in addition are subtracted, gets more than others', async () => {
  const [quick, other] = [uuidv7(), uuidv7()];
  for (const targetId of [quick, other])
    await db.query(
      `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
       SELECT gen_random_uuid(), $1, 'outgoing', $2, $3, now() - interval '1 minute', 8 FROM generate_series(1, 20)`,
      [uuidv7(), targetId, LANES.first],
    );
  const inFlight = new Map([[quick, 1 - 12]]);
  const request = {
    lane: LANES.first,
    limit: 64,
    perTarget: 4,
    inFlight,
    places: new Map(),
    afterTarget: NIL,
  };
  const { deliveries } = await claims.claim(request);
  const countOf = (id: string): number => deliveries.filter(({ targetId }) => targetId === id).length;
  expect([countOf(quick), countOf(other)]).toEqual([15, 4]);
});

test('a queued delivery without a log row, after restoring an old backup, is claimed without a body', async () => {
  const before = Date.now();
  const id = uuidv7();
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts) VALUES ($1, $2, 'outgoing', $3, 8)`,
    [id, uuidv7(), uuidv7()],
  );
  const request = { limit: 8, perTarget: 4, inFlight: new Map(), places: new Map(), afterTarget: NIL };
  const { deliveries } = await claims.claim({ lane: LANES.first, ...request });
  // Without a body it becomes a dead letter.
  expect(deliveries).toMatchObject([{ id, eventId: NIL, eventType: '', headers: {}, body: null }]);
  const createdAt = deliveries[0]!.createdAt.getTime();
  expect(createdAt).toBeGreaterThanOrEqual(before);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
});

test('a test send to a target with an open breaker does not use up the probe of another lane', async () => {
  const [spaceId, targetId] = [uuidv7(), uuidv7()];
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, lane, now() - interval '1 minute', 8 FROM unnest($3::int[]) lane`,
    [spaceId, targetId, [LANES.first, LANES.first, LANES.test]],
  );
  await db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     VALUES ($1, $2, 'outgoing', 10, now() + interval '1 minute')`,
    [targetId, spaceId],
  );
  const claimed = async (lane: Lane): Promise<number> => {
    const request = {
      lane,
      limit: 8,
      perTarget: 4,
      inFlight: new Map(),
      places: new Map(),
      afterTarget: NIL,
    };
    return (await claims.claim(request)).deliveries.length;
  };
  claims.probe([{ targetId, lane: LANES.first }]);
  expect(await claimed(LANES.test)).toBe(1);
  expect([await claimed(LANES.first), await claimed(LANES.first)]).toEqual([1, 0]);
});

test('a lease can be renewed until another worker takes it', async () => {
  await db.query(
    `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
     SELECT gen_random_uuid(), $1, 'outgoing', $2, 0, now() - interval '1 minute', 8 FROM generate_series(1, 3)`,
    [uuidv7(), uuidv7()],
  );
  const request = {
    lane: LANES.first,
    limit: 8,
    perTarget: 8,
    inFlight: new Map(),
    places: new Map(),
    afterTarget: NIL,
  };
  const [kept, taken, ended] = (await claims.claim(request)).deliveries as [
    ClaimedDelivery,
    ClaimedDelivery,
    ClaimedDelivery,
  ];
  await db.query("UPDATE delivery_queue SET lease_until = now() + interval '1 second' WHERE id = $1", [
    kept.id,
  ]);
  await db.query('UPDATE delivery_queue SET lease = lease + 1 WHERE id = $1', [taken.id]);
  await db.query('DELETE FROM delivery_queue WHERE id = $1', [ended.id]);
  expect(await Promise.all([kept, taken, ended].map((one) => claims.renew(one)))).toEqual([
    true,
    false,
    false,
  ]);
  const [row] = await db.query(
    "SELECT lease_until > now() + interval '1 minute' AS renewed FROM delivery_queue WHERE id = $1",
    [kept.id],
  );
  expect(row).toEqual({ renewed: true });
});
