import type { Tx } from '@tieline/platform/database';
import { originOf } from '@tieline/platform/tracing';
import type { NewDelivery, NewPayload } from './delivery.types.js';
import { subjectsOf } from './lanes/planned-targets.js';
import { EXTENDED_ATTEMPTS } from './results/retry-policy.js';
import { INSERT_DELIVERIES, INSERT_PAYLOADS } from './planning.statements.js';

/**
 * Signal of transactions that plan deliveries, with the subjects from `lanes/planned-targets.ts`.
 */
export const DELIVERIES = 'deliveries';
/** Offset of positions in lines that order only first attempts. */
const FIRST_ATTEMPTS_ALONE = 2 ** 52;
/** Means "DELIVERY_MAX_ATTEMPTS of the worker that sends it". */
export const DEFAULT_ATTEMPTS = 0;

/**
 * Plans deliveries in the caller's transaction: payloads, log rows and queue rows, in two
 * statements for any number. They are due immediately, and the commit wakes the engine.
 */
export async function planDeliveries(
  tx: Tx,
  payloads: NewPayload[],
  deliveries: NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.query(INSERT_PAYLOADS, [
    payloads.map((p) => p.id),
    payloads.map((p) => p.spaceId),
    payloads.map((p) => p.body),
  ]);
  await tx.query(INSERT_DELIVERIES, [
    deliveries.map((d) => d.id),
    deliveries.map((d) => d.spaceId),
    deliveries.map((d) => d.kind),
    deliveries.map((d) => d.targetId),
    deliveries.map((d) => d.eventId),
    deliveries.map((d) => d.eventType),
    deliveries.map((d) => d.payloadId),
    deliveries.map((d) => JSON.stringify(withOrigin(d))),
    deliveries.map(attemptsOf),
    deliveries.map((d) => d.counts ?? true),
    deliveries.map((d) => d.retryProfile === 'extended'),
    deliveries.map((d) => d.order?.key ?? null),
    deliveries.map(positionOf),
    followersAmong(deliveries),
  ]);
  for (const subject of subjectsOf(deliveries)) tx.signal(DELIVERIES, subject);
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
