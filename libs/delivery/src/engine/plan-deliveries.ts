import type { Tx } from '@tieline/platform/database';
import { originOf } from '@tieline/platform/tracing';
import type { NewDelivery, NewPayload } from './delivery.types.js';
import { subjectsOf } from './lanes/planned-targets.js';
import { lineSubject } from './results/lines.js';
import { EXTENDED_ATTEMPTS } from './results/retry-policy.js';
import { directBatchOf } from './direct/current-batch.js';
import type { ClaimedDelivery } from './delivery.types.js';
import { FIRST_LEASE, PLAN_DELIVERIES } from './planning.statements.js';

/**
 * Signal of transactions that plan deliveries, with the subjects from `lanes/planned-targets.ts`.
 */
export const DELIVERIES = 'deliveries';
/**
 * Signal of transactions that plan deliveries behind others in the queue, with lines as subjects.
 * If the last of a line ended before the commit, nothing has released the new ones.
 */
export const LINES = 'delivery-lines';
/** Offset of positions in lines that order only first attempts. */
const FIRST_ATTEMPTS_ALONE = 2 ** 52;
/** Means "DELIVERY_MAX_ATTEMPTS of the worker that sends it". */
const DEFAULT_ATTEMPTS = 0;

/**
 * Plans deliveries in the caller's transaction: payloads, log rows and queue rows, in one statement
 * for any number. They are due immediately. The relay leases those that this worker has places for,
 * and sends them after the commit. For all others, the commit wakes the engine.
 */
export async function planDeliveries(
  tx: Tx,
  payloads: NewPayload[],
  deliveries: NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const direct = directBatchOf(tx);
  const follows = followersAmong(deliveries);
  const reserved = direct?.reserve(deliveries.filter((_, n) => !follows[n])) ?? new Set();
  const lease = direct && reserved.size > 0 ? direct.lease : { owner: null, leaseMs: null };
  const inserting = tx.query(PLAN_DELIVERIES, {
    payloadIds: payloads.map((p) => p.id),
    payloadSpaceIds: payloads.map((p) => p.spaceId),
    bodies: payloads.map((p) => p.body),
    ids: deliveries.map((d) => d.id),
    spaceIds: deliveries.map((d) => d.spaceId),
    kinds: deliveries.map((d) => d.kind),
    targetIds: deliveries.map((d) => d.targetId),
    eventIds: deliveries.map((d) => d.eventId),
    eventTypes: deliveries.map((d) => d.eventType),
    payloads: deliveries.map((d) => d.payloadId),
    headers: deliveries.map((d) => JSON.stringify(withOrigin(d))),
    maxAttempts: deliveries.map(attemptsOf),
    counts: deliveries.map((d) => d.counts ?? true),
    extended: deliveries.map((d) => d.retryProfile === 'extended'),
    orderKeys: deliveries.map((d) => d.order?.key ?? null),
    orderPositions: deliveries.map(positionOf),
    follows,
    direct: deliveries.map((d) => reserved.has(d)),
    ...lease,
  });
  // Sent together with the insert.
  const [rows] = await Promise.all([inserting, direct?.loadTargets(tx, reserved)]);
  const leased = new Set(rows.flatMap(({ id, isLeased }) => (isLeased ? [id] : [])));
  const waiting = new Set(rows.flatMap(({ id, isLeased }) => (isLeased ? [] : [id])));
  const bodies = new Map(payloads.map(({ id, body }) => [id, body]));
  for (const one of reserved) {
    if (leased.has(one.id)) direct?.add(toClaimed(one, bodies.get(one.payloadId) ?? null));
    else direct?.free(one);
  }
  for (const subject of subjectsOf(deliveries.filter(({ id }) => !leased.has(id))))
    tx.signal(DELIVERIES, subject);
  for (const { id, spaceId, targetId, order } of deliveries)
    if (order && waiting.has(id)) tx.signal(LINES, lineSubject({ spaceId, targetId, key: order.key }));
}

/** Returns the delivery as a claim would. */
function toClaimed(planned: NewDelivery, body: Buffer | null): ClaimedDelivery {
  const { id, spaceId, kind, targetId, eventId, eventType, retryProfile = 'contract' } = planned;
  return {
    ...{ id, spaceId, kind, targetId, eventId, eventType, retryProfile, body },
    lease: FIRST_LEASE,
    headers: withOrigin(planned),
    attempts: 0,
    maxAttempts: attemptsOf(planned),
    counts: true,
    createdAt: new Date(),
    resent: false,
  };
}

/** Adds the event's trace as a header. */
function withOrigin({ headers, eventId }: NewDelivery): Record<string, string> {
  const origin = originOf(eventId);
  return origin === undefined ? headers : { ...headers, traceparent: origin };
}

/**
 * Returns the position in the line. Deliveries with positions below 0 leave their line after the
 * first attempt (`SETTLE`).
 */
function positionOf({ order }: NewDelivery): number | null {
  if (!order) return null;
  return order.firstAttempts ? order.position - FIRST_ATTEMPTS_ALONE : order.position;
}

function attemptsOf({ maxAttempts, retryProfile }: NewDelivery): number {
  return maxAttempts ?? (retryProfile === 'extended' ? EXTENDED_ATTEMPTS : DEFAULT_ATTEMPTS);
}

/** Returns for each delivery whether it follows another one of its line in this batch. */
function followersAmong(deliveries: readonly NewDelivery[]): boolean[] {
  const begun = new Set<string>();
  return deliveries.map(({ targetId, order }) => {
    if (!order) return false;
    const line = `${targetId}/${order.key}`;
    const follows = begun.has(line);
    begun.add(line);
    return follows;
  });
}
