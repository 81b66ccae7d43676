import type { Tx } from '@tieline/platform/database';
import { originOf } from '@tieline/platform/tracing';
import type { NewDelivery, NewPayload } from './delivery.types.js';
import { subjectsOf } from './lanes/planned-targets.js';
import { EXTENDED_ATTEMPTS } from './results/retry-policy.js';
import { INSERT_DELIVERIES, INSERT_PAYLOADS } from './planning.statements.js';

/**
 * Signalled by every transaction that planned deliveries, with what `lanes/planned-targets.ts`
 * makes of them.
 */
export const DELIVERIES = 'deliveries';
/** What positions of lines are moved by in which only first attempts are in order. */
const FIRST_ATTEMPTS_ALONE = 2 ** 52;
/** Stands for "DELIVERY_MAX_ATTEMPTS of the worker that sends it". */
export const DEFAULT_ATTEMPTS = 0;

/**
 * Plans deliveries in the caller's transaction: payloads, log rows and queue rows in two statements
 * for any number. They are due at once; after the commit the engine is woken.
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

/** The trace of the event goes on with the request: as a header like any other. */
function withOrigin({ headers, eventId }: NewDelivery): Record<string, string> {
  const origin = originOf(eventId);
  return origin === undefined ? headers : { ...headers, traceparent: origin };
}

/** Positions below 0 leave their line with the first attempt (`SETTLE`). */
function positionOf({ order }: NewDelivery): number | null {
  if (!order) return null;
  return order.firstAttempts ? order.position - FIRST_ATTEMPTS_ALONE : order.position;
}

function attemptsOf({ maxAttempts, retryProfile }: NewDelivery): number {
  return maxAttempts ?? (retryProfile === 'extended' ? EXTENDED_ATTEMPTS : DEFAULT_ATTEMPTS);
}

/** Which deliveries come behind another of these. They are in order. */
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
