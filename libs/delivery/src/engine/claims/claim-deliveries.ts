import type { Queryable, RowOf } from '@tieline/platform/database';
import type { ClaimedDelivery } from '../delivery.types.js';
import { CLAIM, CLAIM_OF, GRANT_PROBES } from './claims.statements.js';

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
  /** Deliveries of one space at most; as many as the limit when absent. */
  perSpace?: number;
  /** The only space with deliveries in the last second: its number has no limit of its own. */
  onlySpace?: string | undefined;
  /** What this worker has in flight: target → number. */
  inFlight: ReadonlyMap<string, number>;
  /** Places of the lane that this worker has taken: space → number. */
  places: ReadonlyMap<string, number>;
  /** Targets whose open breaker lets one probe of this worker through. */
  probes: readonly string[];
  /** The walk over targets starts after this one; the nil uuid is before all. */
  afterTarget: string;
  /** Only of these targets, instead of a walk: target → its space. */
  only?: ReadonlyMap<string, string>;
  owner: number;
  leaseMs: number;
}

/** What a claim got, and where the walk over targets stopped. */
export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** The last target looked at, or undefined when the walk reached the end. */
  lastTarget: string | undefined;
}

export const NIL = '00000000-0000-0000-0000-000000000000';
type ClaimRow = RowOf<typeof CLAIM>;

/**
 * Leases a fair batch of due deliveries to this worker. One statement, one implicit transaction.
 */
export async function claimDeliveries(db: Queryable, request: ClaimRequest): Promise<ClaimResult> {
  const { only } = request;
  const rows = await db.query(only ? CLAIM_OF : CLAIM, [
    request.lane,
    only ? [...only.keys()] : request.afterTarget,
    [...request.inFlight.keys()],
    [...request.inFlight.values()],
    request.perTarget,
    request.probes,
    request.limit,
    request.owner,
    request.leaseMs,
    [...request.places.keys()],
    [...request.places.values()],
    request.perSpace ?? request.limit,
    request.onlySpace ?? NIL,
    ...(only ? [[...only.values()]] : []),
  ]);
  const deliveries: ClaimedDelivery[] = [];
  let lastTarget: string | undefined;
  for (const row of rows) {
    if (row.id === null) lastTarget = row.last_target ?? undefined;
    else deliveries.push(toClaimed(row, row.id));
  }
  // Rows come in any order; ids are in order of arrival, and what goes to one target begins in that
  // order.
  deliveries.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { deliveries, lastTarget };
}

/**
 * Of one whose log is gone, after a backup of more than a month ago was restored, there is only
 * what the queue knows: it is ended.
 */
function toClaimed(row: ClaimRow, id: string): ClaimedDelivery {
  return {
    id,
    spaceId: row.space_id,
    kind: row.kind,
    targetId: row.target_id,
    eventId: row.event_id ?? NIL,
    eventType: row.event_type ?? '',
    headers: JSON.parse(row.headers ?? '{}') as Record<string, string>,
    body: row.body,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    retryProfile: row.extended ? 'extended' : 'contract',
    counts: row.counts,
    lease: row.lease,
    createdAt: row.created_at ?? creationTimeOf(id),
    resent: row.resent,
  };
}

/** One delivery that an open breaker lets through. */
export interface Probe {
  targetId: string;
  /** Which lane may take it. */
  lane: Lane;
}

/** Probes of the targets whose breaker has been open long enough; each is granted to one worker. */
export async function grantProbes(db: Queryable, openMs: number): Promise<Probe[]> {
  const granted = await db.query(GRANT_PROBES, [openMs]);
  return granted.map(({ target_id, lane }) => ({
    targetId: target_id,
    lane: lane === 1 ? LANES.retry : LANES.first,
  }));
}

/** The moment inside a UUIDv7. */
const creationTimeOf = (id: string): Date => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
