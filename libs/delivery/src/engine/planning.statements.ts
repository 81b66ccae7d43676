import { statement } from '@tieline/platform/database';

/** Stores the bodies of deliveries. */
export const INSERT_PAYLOADS = statement(
  'delivery_plan_payloads',
  `INSERT INTO delivery_payloads (id, space_id, body) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[])`,
  {},
);

/**
 * Inserts deliveries into log and queue. Only the first delivery of a line is due. $14 says which
 * ones follow another one of this batch; others may follow one in the queue.
 */
export const INSERT_DELIVERIES = statement(
  'delivery_plan',
  `WITH planned AS (
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::int[], $10::bool[], $11::bool[], $12::uuid[], $13::int8[], $14::bool[])
       AS p(id, space_id, kind, target_id, event_id, event_type, payload_id, headers, max_attempts, counts, extended, order_key, order_position, follows)
   ), logged AS (
     INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers)
     SELECT id, space_id, kind, target_id, event_id, event_type, payload_id, headers FROM planned
   )
   INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, counts, extended, lane, order_key, order_position, due_at)
   SELECT id, space_id, kind, target_id, max_attempts, counts, extended, CASE WHEN counts THEN 0 ELSE 2 END, order_key, order_position,
     CASE WHEN order_key IS NOT NULL AND (follows OR EXISTS (
       SELECT 1 FROM delivery_queue q WHERE q.target_id = p.target_id AND q.order_key = p.order_key)) THEN 'infinity' ELSE clock_timestamp() END
   FROM planned p`,
  {},
);
