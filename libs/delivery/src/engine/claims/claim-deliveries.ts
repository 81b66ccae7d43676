import { statement } from '@tieline/platform/database';
import type { Queryable } from '@tieline/platform/database';
import type { ClaimedDelivery } from '../delivery.types.js';

/** Which attempts a lane carries. First attempts never wait behind retries. */
export const LANES = { first: 0, retry: 1, test: 2 } as const;
export type Lane = (typeof LANES)[keyof typeof LANES];

/** What a claim asks for. */
export interface ClaimRequest {
  lane: Lane;
  /** Deliveries at most. */
  limit: number;
  /** In flight per target at most. */
  perTarget: number;
  /** What this worker has in flight: target → number. */
  inFlight: ReadonlyMap<string, number>;
  /** Targets whose open breaker lets one probe of this worker through. */
  probes: readonly string[];
  /** The walk over targets starts after this one; the nil uuid is before all. */
  afterTarget: string;
  owner: number;
  leaseMs: number;
}

/** What a claim got, and where the walk over targets stopped. */
export interface ClaimAnswer {
  deliveries: ClaimedDelivery[];
  /** The last target looked at, or undefined when the walk reached the end. */
  lastTarget: string | undefined;
}

export const NIL = '00000000-0000-0000-0000-000000000000';
/** Targets looked at in one claim; the next claim goes on from there, so that nobody starves. */
const TARGETS_PER_CLAIM = 400;

/*
 * Walks the distinct targets that have work in a lane (one index probe each), takes from each at most its free slots,
 * oldest first, and leases what it took. Skips rows that another claim is taking. A target with an open breaker gives
 * nothing, or one delivery when it is among the probes.
 *
 * The commit does not wait for the disk: a lease that a crash of the server loses only means that the delivery is claimed
 * once more.
 */
const CLAIM = statement(
  'delivery_claim',
  `WITH RECURSIVE walk AS (
     (SELECT target_id, 1 AS n FROM delivery_queue WHERE lane = $1 AND target_id > $2 ORDER BY target_id LIMIT 1)
     UNION ALL
     SELECT (SELECT q.target_id FROM delivery_queue q WHERE q.lane = $1 AND q.target_id > w.target_id ORDER BY q.target_id LIMIT 1), w.n + 1
     FROM walk w WHERE w.target_id IS NOT NULL AND w.n < ${TARGETS_PER_CLAIM}
   ), busy AS (
     SELECT * FROM unnest($3::uuid[], $4::int[]) AS b(target_id, n)
   ), room AS (
     SELECT w.target_id, CASE WHEN t.open_until IS NULL THEN $5 - coalesce(b.n, 0) WHEN w.target_id = ANY($6::uuid[]) THEN 1 ELSE 0 END AS free
     FROM walk w LEFT JOIN busy b USING (target_id) LEFT JOIN delivery_targets t USING (target_id)
     WHERE w.target_id IS NOT NULL
   ), due AS (
     SELECT q.id FROM room CROSS JOIN LATERAL (
       SELECT id FROM delivery_queue
       WHERE lane = $1 AND target_id = room.target_id AND due_at <= clock_timestamp() AND (lease_until IS NULL OR lease_until < clock_timestamp())
       ORDER BY due_at LIMIT greatest(room.free, 0) FOR UPDATE SKIP LOCKED
     ) q LIMIT $7
   ), leased AS (
     UPDATE delivery_queue q SET lease = l.lease, lease_owner = $8, lease_until = clock_timestamp() + $9 * interval '1 millisecond'
     FROM due, (SELECT nextval('delivery_lease') AS lease, set_config('synchronous_commit', 'off', true)) l WHERE q.id = due.id
     RETURNING q.id, q.space_id, q.kind, q.target_id, q.attempts, q.max_attempts, q.counts, q.lease
   )
   SELECT leased.*, NULL::uuid AS last_target, d.event_id, d.event_type, d.headers, d.created_at, p.body
   FROM leased LEFT JOIN deliveries d ON d.id = leased.id AND d.space_id = leased.space_id
     LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = leased.space_id
   UNION ALL
   SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, (SELECT target_id FROM walk WHERE n = ${TARGETS_PER_CLAIM}), NULL, NULL, NULL, NULL, NULL`,
);

interface ClaimRow {
  id: string | null;
  space_id: string;
  kind: string;
  target_id: string;
  attempts: number;
  max_attempts: number;
  counts: boolean;
  lease: number;
  last_target: string | null;
  event_id: string;
  event_type: string;
  headers: string;
  created_at: Date;
  body: Buffer | null;
}

/** Leases a fair batch of due deliveries to this worker. One statement, one implicit transaction. */
export async function claimDeliveries(db: Queryable, request: ClaimRequest): Promise<ClaimAnswer> {
  const rows = await db.query<ClaimRow>(CLAIM, [
    request.lane,
    request.afterTarget,
    [...request.inFlight.keys()],
    [...request.inFlight.values()],
    request.perTarget,
    request.probes,
    request.limit,
    request.owner,
    request.leaseMs,
  ]);
  const deliveries: ClaimedDelivery[] = [];
  let lastTarget: string | undefined;
  for (const row of rows) {
    if (row.id === null) lastTarget = row.last_target ?? undefined;
    else deliveries.push(toClaimed(row, row.id));
  }
  return { deliveries, lastTarget };
}

function toClaimed(row: ClaimRow, id: string): ClaimedDelivery {
  return {
    id,
    spaceId: row.space_id,
    kind: row.kind,
    targetId: row.target_id,
    eventId: row.event_id,
    eventType: row.event_type,
    headers: JSON.parse(row.headers) as Record<string, string>,
    body: row.body,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    counts: row.counts,
    lease: row.lease,
    createdAt: row.created_at,
  };
}

const GRANT_PROBES = statement(
  'delivery_grant_probes',
  `UPDATE delivery_targets t SET open_until = clock_timestamp() + $1 * interval '1 millisecond'
   WHERE t.open_until <= clock_timestamp()
     AND EXISTS (SELECT 1 FROM delivery_queue q WHERE q.target_id = t.target_id AND q.lane IN (0, 1) AND q.due_at <= clock_timestamp())
   RETURNING t.target_id`,
);

/** The targets whose breaker has been open long enough; each is granted to one worker, for one probe. */
export async function grantProbes(db: Queryable, openMs: number): Promise<string[]> {
  return (await db.query<{ target_id: string }>(GRANT_PROBES, [openMs])).map((row) => row.target_id);
}
