import { statement } from '@tieline/platform/database';

/** Stores the bytes of several deliveries. */
export const INSERT_PAYLOADS = statement(
  'delivery_plan_payloads',
  `INSERT INTO delivery_payloads (id, space_id, body) SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[])`,
  {},
);

/** Puts deliveries into log and queue. */
export const INSERT_DELIVERIES = statement(
  'delivery_plan',
  `WITH planned AS (
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::text[], $7::uuid[], $8::text[], $9::int[], $10::bool[], $11::bool[])
       AS p(id, space_id, kind, target_id, event_id, event_type, payload_id, headers, max_attempts, counts, extended)
   ), logged AS (
     INSERT INTO deliveries (id, space_id, kind, target_id, event_id, event_type, payload_id, headers)
     SELECT id, space_id, kind, target_id, event_id, event_type, payload_id, headers FROM planned
   )
   INSERT INTO delivery_queue (id, space_id, kind, target_id, max_attempts, counts, extended, lane)
   SELECT id, space_id, kind, target_id, max_attempts, counts, extended, CASE WHEN counts THEN 0 ELSE 2 END FROM planned`,
  {},
);
