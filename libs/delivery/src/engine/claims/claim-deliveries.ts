import type { Queryable, RowOf } from '@tieline/platform/database';
import type { ClaimedDelivery } from '../delivery.types.js';
import { CLAIM, CLAIM_OF, GRANT_PROBES } from './claims.statements.js';
import type { CLAIMED_COLUMNS } from './claims.statements.js';

/** Lanes of attempts. First attempts never wait behind retries. */
export const LANES = { first: 0, retry: 1, test: 2 } as const;
export type Lane = (typeof LANES)[keyof typeof LANES];

/** Parameters of a claim. */
export interface ClaimRequest {
  lane: Lane;
  /** Maximum number of deliveries. */
  limit: number;
  /** Maximum number of attempts in flight per target. */
  perTarget: number;
  /** Maximum number of deliveries of one space. Defaults to `limit`. */
  perSpace?: number;
  /** The only space with deliveries in the last second. `perSpace` does not limit it. */
  onlySpace?: string | undefined;
  /** Attempts of this worker in flight, by target. */
  inFlight: ReadonlyMap<string, number>;
  /** Places of the lane that this worker's deliveries take, by space. */
  places: ReadonlyMap<string, number>;
  /** Targets whose open breaker lets one probe of this worker through. */
  probes: readonly string[];
  /** The walk over targets starts after this one. The nil UUID is before all. */
  afterTarget: string;
  /** Claims only from these targets, without a walk: target → its space. */
  only?: ReadonlyMap<string, string>;
  owner: number;
  leaseMs: number;
}

/** The result of a claim. */
export interface ClaimResult {
  deliveries: ClaimedDelivery[];
  /** The last target visited, or undefined if the walk reached the end. */
  lastTarget: string | undefined;
  /**
   * Whether a target, a space or the lane got no place or took its last one. If not, nothing due
   * was left out.
   */
  isLimited: boolean;
}

export const NIL = '00000000-0000-0000-0000-000000000000';
type ClaimRow = RowOf<typeof CLAIM>;
type ClaimedRow = Pick<ClaimRow, keyof typeof CLAIMED_COLUMNS> & { id: string };

/**
 * Leases a fair batch of due deliveries to this worker, in one statement and its implicit
 * transaction.
 */
export async function claimDeliveries(db: Queryable, request: ClaimRequest): Promise<ClaimResult> {
  const { lane, only, afterTarget } = request;
  const limits = {
    busyTargetIds: [...request.inFlight.keys()],
    busyCounts: [...request.inFlight.values()],
    perTarget: request.perTarget,
    probes: request.probes,
    limit: request.limit,
    owner: request.owner,
    leaseMs: request.leaseMs,
    placeSpaceIds: [...request.places.keys()],
    placeCounts: [...request.places.values()],
    perSpace: request.perSpace ?? request.limit,
    onlySpace: request.onlySpace ?? NIL,
  };
  const rows = only
    ? await db.query(CLAIM_OF, {
        lane,
        targetIds: [...only.keys()],
        spaceIds: [...only.values()],
        ...limits,
      })
    : await db.query(CLAIM, { lane, afterTarget, ...limits });
  const deliveries: ClaimedDelivery[] = [];
  let lastTarget: string | undefined;
  for (const row of rows) {
    if (row.id === null) lastTarget = row.lastTarget ?? undefined;
    else deliveries.push(toClaimed({ ...row, id: row.id }));
  }
  // Rows come in any order. Ids follow the order of arrival, which is the order in which a target's
  // deliveries start.
  deliveries.sort((a, b) => (a.id < b.id ? -1 : 1));
  return { deliveries, lastTarget, isLimited: isLimited(rows, request.limit) };
}

/** Returns whether a claim may have left something due out. */
function isLimited(rows: readonly ClaimRow[], limit: number): boolean {
  const claimed = rows.filter(({ id }) => id !== null);
  if (claimed.length >= limit || rows.some((row) => row.isLimited === true)) return true;
  const counts = new Map<string, number>();
  const count = (id: string): number => {
    const counted = (counts.get(id) ?? 0) + 1;
    counts.set(id, counted);
    return counted;
  };
  return claimed.some(
    ({ targetId, free, spaceId, share }) => count(targetId) >= free || count(spaceId) >= share,
  );
}

/**
 * Converts a row. A queued delivery without a log row (possible after restoring an old backup) has
 * no body, so it is closed as dead.
 */
export function toClaimed(row: ClaimedRow): ClaimedDelivery {
  return {
    id: row.id,
    spaceId: row.spaceId,
    kind: row.kind,
    targetId: row.targetId,
    eventId: row.eventId ?? NIL,
    eventType: row.eventType ?? '',
    headers: JSON.parse(row.headers ?? '{}') as Record<string, string>,
    body: row.body,
    attempts: row.attempts,
    maxAttempts: row.maxAttempts,
    retryProfile: row.extended ? 'extended' : 'contract',
    counts: row.counts,
    lease: row.lease,
    createdAt: row.createdAt ?? creationTimeOf(row.id),
    resent: row.resent,
  };
}

/** One delivery that an open breaker lets through. */
export interface Probe {
  targetId: string;
  /** The lane that may take it. */
  lane: Lane;
}

/** Grants probes of the targets whose breaker has been open long enough, each to one worker. */
export async function grantProbes(db: Queryable, openMs: number): Promise<Probe[]> {
  const granted = await db.query(GRANT_PROBES, [openMs]);
  return granted.map(({ targetId, lane }) => ({
    targetId,
    lane: lane === 1 ? LANES.retry : LANES.first,
  }));
}

/** Returns the time inside a UUIDv7. */
const creationTimeOf = (id: string): Date => new Date(parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
