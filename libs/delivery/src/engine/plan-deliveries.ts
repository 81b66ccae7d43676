import { statement } from '@tieline/platform/database';
import type { Tx } from '@tieline/platform/database';
import type { NewDelivery, NewPayload } from './delivery.types.js';

/** Signalled by every transaction that planned deliveries. */
export const DELIVERIES = 'deliveries';
/** Stands for "DELIVERY_MAX_ATTEMPTS of the worker that sends it". */
export const DEFAULT_ATTEMPTS = 0;

const INSERT_PAYLOADS = statement(
  'delivery_plan_payloads',
  `INSERT INTO delivery_payloads (id, space_id, body) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[])`,
);

const INSERT_DELIVERIES = statement(
  'delivery_plan',
  `WITH planned AS (
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::int[], $10::bool[])
       AS p(id, space_id, kind, target_id, event_id, event_type, payload_id, headers, max_attempts, counts)
   ), logged AS (
     INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers)
     SELECT id, space_id, kind, target_id, event_id, event_type, payload_id, headers FROM planned
   )
   INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, counts, lane)
   SELECT id, space_id, kind, target_id, max_attempts, counts, CASE WHEN counts THEN 0 ELSE 2 END FROM planned`,
);

/**
 * Plans deliveries in the caller's transaction: payloads, log rows and queue rows in two statements for any number.
 * They are due at once; after the commit the engine is woken.
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
    deliveries.map((d) => JSON.stringify(d.headers)),
    deliveries.map((d) => d.maxAttempts ?? DEFAULT_ATTEMPTS),
    deliveries.map((d) => d.counts ?? true),
  ]);
  tx.signal(DELIVERIES);
}
