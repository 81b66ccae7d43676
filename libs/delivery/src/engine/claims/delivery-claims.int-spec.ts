import { v7 as uuidv7 } from 'uuid';
import { openDb } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';
import { LANES, NIL } from './claim-deliveries.js';
import type { Lane } from './claim-deliveries.js';
import { DeliveryClaims } from './delivery-claims.js';
import { LeaseOwner } from './lease-owner.js';

test('a test send to a target whose breaker is open leaves the probe to the lane that it was granted to', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  const owner = new LeaseOwner(database.url);
  const claims = new DeliveryClaims(db, owner, 30_000);
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
    const request = { lane, limit: 8, perTarget: 4, inFlight: new Map(), afterTarget: NIL };
    return (await claims.claim(request)).deliveries.length;
  };
  claims.probe([{ targetId, lane: LANES.first }]);
  expect(await claimed(LANES.test)).toBe(1);
  expect([await claimed(LANES.first), await claimed(LANES.first)]).toEqual([1, 0]);
  await owner.close();
  await db.close();
  await database.drop();
});
