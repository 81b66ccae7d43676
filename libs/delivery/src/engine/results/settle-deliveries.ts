import { runInTx, statement } from '@tieline/platform/database';
import type { Db, Tx } from '@tieline/platform/database';
import type { DeliveryKinds } from '../delivery-kinds.js';
import type { Result, SettledDelivery } from '../delivery.types.js';

/** The breaker's settings: consecutive failures that open it, and for how long. */
export interface BreakerPolicy {
  threshold: number;
  openMs: number;
}

/*
 * Finished deliveries leave the queue and are marked in the log; the others go back into the queue with their next
 * moment. Fenced: a row that was leased again since is left alone, and so is one that somebody killed meanwhile.
 * Answers the ids that counted. Attempts are logged by a statement of their own, fenced or not: they did happen.
 */
const SETTLE = statement(
  'delivery_settle',
  `WITH r AS (
     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::timestamptz[])
       AS r(id, lease, outcome, attempts, error, due_at)
   ), ended AS (
     DELETE FROM delivery_queue q USING r WHERE q.id = r.id AND q.lease = r.lease AND r.outcome IN ('success', 'dead')
     RETURNING q.id, q.space_id, r.outcome, r.attempts, r.error
   ), logged AS (
     UPDATE deliveries d SET status = e.outcome, attempts = e.attempts, error = e.error, finished_at = clock_timestamp()
     FROM ended e WHERE d.id = e.id AND d.space_id = e.space_id
   ), again AS (
     UPDATE delivery_queue q SET lease = NULL, lease_owner = NULL, lease_until = NULL, due_at = r.due_at, attempts = r.attempts,
       lane = CASE WHEN r.attempts > 0 AND q.lane = 0 THEN 1 ELSE q.lane END, postponed = (r.outcome = 'postponed')
     FROM r WHERE q.id = r.id AND q.lease = r.lease AND r.outcome IN ('retry', 'postponed')
     RETURNING q.id
   )
   SELECT id FROM ended UNION ALL SELECT id FROM again`,
);

const LOG_ATTEMPTS = statement(
  'delivery_log_attempts',
  `INSERT INTO delivery_attempts (delivery_id, space_id, attempt, at, status_code, duration_ms, error, response, headers)
   SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::timestamptz[], $5::int[], $6::int[], $7::text[], $8::text[], $9::text[])`,
);

/**
 * Writes the results of a batch of claims (T3): queue, log, attempts, breakers and the counters of the kinds, in one
 * transaction. A result whose lease was lost changes nothing but the attempt log.
 */
export async function settleDeliveries(
  db: Db,
  kinds: DeliveryKinds,
  breaker: BreakerPolicy,
  results: Result[],
): Promise<void> {
  await runInTx(db, async (tx) => {
    const [settled] = await Promise.all([settleQueue(tx, results), logAttempts(tx, results)]);
    await updateBreakers(tx, breaker, results);
    await tellKinds(
      tx,
      kinds,
      results.filter(({ delivery }) => delivery.counts && settled.has(delivery.id)),
    );
  });
}

async function settleQueue(tx: Tx, results: Result[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(SETTLE, [
    results.map(({ delivery }) => delivery.id),
    results.map(({ delivery }) => delivery.lease),
    results.map(({ outcome }) => (outcome.kind === 'delivered' ? 'success' : outcome.kind)),
    results.map(({ delivery, attempt }) => delivery.attempts + (attempt ? 1 : 0)),
    results.map(({ outcome }) => ('error' in outcome ? outcome.error : null)),
    results.map(({ outcome }) => ('at' in outcome ? outcome.at : null)),
  ]);
  return new Set(rows.map((row) => row.id));
}

async function logAttempts(tx: Tx, results: Result[]): Promise<void> {
  const sent = results.flatMap(({ delivery, attempt }) => (attempt ? [{ delivery, attempt }] : []));
  if (sent.length === 0) return;
  await tx.query(LOG_ATTEMPTS, [
    sent.map(({ delivery }) => delivery.id),
    sent.map(({ delivery }) => delivery.spaceId),
    sent.map(({ delivery }) => delivery.attempts + 1),
    sent.map(({ attempt }) => attempt.at),
    sent.map(({ attempt }) => attempt.statusCode),
    sent.map(({ attempt }) => attempt.durationMs),
    sent.map(({ attempt }) => attempt.error),
    // Postgres text holds no NUL; a receiver's answer may.
    sent.map(({ attempt }) => attempt.response.replaceAll('\0', '\uFFFD')),
    sent.map(({ attempt }) => (attempt.headers ? JSON.stringify(attempt.headers) : null)),
  ]);
}

const CLOSE_BREAKERS = statement(
  'delivery_close_breakers',
  `UPDATE delivery_targets SET failures = 0, open_until = NULL WHERE target_id = ANY($1::uuid[]) AND failures <> 0`,
);

const COUNT_FAILURES = statement(
  'delivery_count_failures',
  `INSERT INTO delivery_targets AS t (target_id, space_id, kind, failures, open_until)
   SELECT target_id, space_id, kind, n, CASE WHEN n >= $6 THEN clock_timestamp() + $7 * interval '1 millisecond' END
   FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::bool[]) AS f(target_id, space_id, kind, n, fresh)
   ORDER BY target_id
   ON CONFLICT (target_id) DO UPDATE SET
     failures = CASE WHEN (SELECT fresh FROM unnest($1::uuid[], $5::bool[]) AS x(id, fresh) WHERE x.id = t.target_id) THEN 0 ELSE t.failures END + excluded.failures,
     open_until = CASE WHEN (CASE WHEN (SELECT fresh FROM unnest($1::uuid[], $5::bool[]) AS x(id, fresh) WHERE x.id = t.target_id) THEN 0 ELSE t.failures END + excluded.failures) >= $6
       THEN clock_timestamp() + $7 * interval '1 millisecond' END`,
);

/** Failures of one target in the order in which its attempts ended; `fresh` when it was alive in between. */
interface Streak {
  spaceId: string;
  kind: string;
  failures: number;
  fresh: boolean;
}

async function updateBreakers(tx: Tx, breaker: BreakerPolicy, results: Result[]): Promise<void> {
  const streaks = new Map<string, Streak>();
  for (const { delivery, health } of results) {
    if (health === undefined || !delivery.counts) continue;
    const streak = streaks.get(delivery.targetId) ?? {
      spaceId: delivery.spaceId,
      kind: delivery.kind,
      failures: 0,
      fresh: false,
    };
    streaks.set(
      delivery.targetId,
      health === 'alive'
        ? { ...streak, failures: 0, fresh: true }
        : { ...streak, failures: streak.failures + 1 },
    );
  }
  // Ordered, so that two workers that settle the same targets never wait for each other in a circle.
  const entries = [...streaks].sort(([a], [b]) => (a < b ? -1 : 1));
  const alive = entries.filter(([, streak]) => streak.failures === 0);
  const failing = entries.filter(([, streak]) => streak.failures > 0);
  if (alive.length > 0) await tx.query(CLOSE_BREAKERS, [alive.map(([id]) => id)]);
  if (failing.length === 0) return;
  await tx.query(COUNT_FAILURES, [
    failing.map(([id]) => id),
    failing.map(([, streak]) => streak.spaceId),
    failing.map(([, streak]) => streak.kind),
    failing.map(([, streak]) => streak.failures),
    failing.map(([, streak]) => streak.fresh),
    breaker.threshold,
    breaker.openMs,
  ]);
}

async function tellKinds(tx: Tx, kinds: DeliveryKinds, results: Result[]): Promise<void> {
  const byKind = new Map<string, SettledDelivery[]>();
  for (const { delivery, outcome } of results) {
    if (outcome.kind !== 'delivered' && outcome.kind !== 'dead') continue;
    const list = byKind.get(delivery.kind) ?? [];
    list.push({
      deliveryId: delivery.id,
      spaceId: delivery.spaceId,
      targetId: delivery.targetId,
      outcome: outcome.kind === 'dead' ? 'dead' : 'success',
    });
    byKind.set(delivery.kind, list);
  }
  for (const [name, settled] of byKind) await kinds.find(name)?.settled(tx, settled);
}
