import { createTestDatabase } from '@tieline/testing';
import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import type { Result } from '../engine/delivery.types.js';
import { DeliveryMinutes } from './delivery-minutes.js';
import { lastHourOf, waitingFor } from './minutes.queries.js';

const id = (n: number): string => `0190d5e0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const SPACE = id(1);

let db: Db;
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  close = async () => {
    await db.close();
    await database.drop();
  };
});
afterAll(() => close?.());

/** Returns a result of a delivery that was planned `ageMs` ago. */
function result(
  kind: 'delivered' | 'dead' | 'retry' | 'postponed',
  ageMs = 0,
  counts = true,
  spaceId = SPACE,
): Result {
  const outcome = { kind, at: new Date(), error: 'receiver answered 500' };
  const attempt = kind === 'postponed' ? undefined : { at: new Date(), statusCode: 200 };
  return {
    delivery: { spaceId, counts, createdAt: new Date(Date.now() - ageMs) },
    outcome,
    attempt,
  } as unknown as Result;
}

/** Runs a worker that counts these results and stops. */
async function worker(results: readonly Result[], failed: (error: unknown) => void = fail): Promise<void> {
  const minutes = new DeliveryMinutes(db, failed);
  for (const one of results) minutes.finished(one);
  await minutes.stop();
}

const fail = (error: unknown): void => {
  throw error;
};

test('the last hour sums up the deliveries of all workers for a space, without test sends', async () => {
  await worker([
    result('delivered', 100_000),
    result('delivered', 400_000),
    result('retry'),
    result('postponed'),
  ]);
  await worker([
    result('delivered', 6_000_000),
    result('dead'),
    result('delivered', 5, false),
    result('delivered', 5, true, id(2)),
  ]);
  const { total, minutes } = await lastHourOf(db, SPACE);
  expect(total).toMatchObject({ delivered: 3, failed: 1, retried: 1 });
  expect(Math.abs((total.p50Ms ?? 0) / 400_000 - 1)).toBeLessThan(0.3);
  expect(Math.abs((total.p95Ms ?? 0) / 6_000_000 - 1)).toBeLessThan(0.3);
  expect(minutes).toHaveLength(60);
  expect(minutes.slice(-10).reduce((sum, minute) => sum + minute.delivered, 0)).toBe(3);
  expect(minutes[0]).toMatchObject({ delivered: 0, failed: 0, p50Ms: null });
});

test('a worker adds to its earlier counts, and keeps those that could not be written', async () => {
  const space = id(3);
  const failures: unknown[] = [];
  const minutes = new DeliveryMinutes(db, (error) => failures.push(error));
  const writeNow = async () => {
    const { loop } = minutes as unknown as { loop: { wake: () => void; drain: () => Promise<void> } };
    loop.wake();
    await loop.drain();
  };
  minutes.finished(result('delivered', 10, true, space));
  await writeNow();
  await db.query('ALTER TABLE delivery_minutes RENAME TO away');
  minutes.finished(result('delivered', 5000, true, space));
  await writeNow();
  expect(failures).toHaveLength(1);
  minutes.finished(result('dead', 0, true, space));
  await db.query('ALTER TABLE away RENAME TO delivery_minutes');
  await minutes.stop();
  const { total } = await lastHourOf(db, space);
  expect(total).toMatchObject({ delivered: 2, failed: 1 });
  expect(total.p95Ms).toBeGreaterThan(4000);
});

test('counts the waiting deliveries of these targets, without a time for test sends and for those behind an earlier one', async () => {
  const queue = (n: number, lane: number, due: string) =>
    db.query(
      `INSERT INTO delivery_queue (id, space_id, kind, target_id, lane, due_at, max_attempts)
       VALUES (gen_random_uuid(), $1, 'outgoing', $2, $3, $4, 8)`,
      [SPACE, id(n), lane, due],
    );
  await queue(10, 0, 'infinity');
  expect(await waitingFor(db, [id(10)])).toEqual({ count: 1, nextAt: null });
  await queue(10, 1, '2026-11-01T10:00:00Z');
  await queue(11, 0, '2026-11-01T08:00:00Z');
  await queue(11, 2, '2026-11-01T07:00:00Z');
  await queue(12, 0, '2026-11-01T06:00:00Z');
  // Its breaker blocks deliveries until then.
  await db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, open_until) VALUES ($1, $2, 'outgoing', '2026-11-01T09:00:00Z')`,
    [id(11), SPACE],
  );
  expect(await waitingFor(db, [id(10), id(11)])).toEqual({
    count: 3,
    nextAt: new Date('2026-11-01T09:00:00Z'),
  });
  expect(await waitingFor(db, [])).toEqual({ count: 0, nextAt: null });
});
