import { nullable, statement, text } from '@tieline/platform/database';

const SUMMARY = `d.id, d.kind, d.target_id, d.event_id, d.event_type, d.status, coalesce(q.attempts, d.attempts) AS attempts, d.error, d.created_at,
  greatest(q.due_at, CASE WHEN q.lane <> 2 THEN t.open_until END) AS next_attempt_at`;
const JOINS = `LEFT JOIN delivery_queue q ON q.id = d.id LEFT JOIN delivery_targets t ON q.id IS NOT NULL AND t.target_id = d.target_id`;
const SUMMARY_COLUMNS = {
  id: 'uuid',
  kind: 'text',
  target_id: 'uuid',
  event_id: 'uuid',
  event_type: 'text',
  status: text<'pending' | 'success' | 'dead'>(),
  attempts: 'int4',
  error: nullable('text'),
  created_at: 'timestamptz',
  next_attempt_at: nullable('timestamptz'),
} as const;

/**
 * The log of one target, newest first. Its text is sent alone, unprepared: a plan that fits any filter and cursor would
 * not make use of either.
 */
export const LIST_DELIVERIES = statement(
  'delivery_list',
  `SELECT ${SUMMARY} FROM deliveries d ${JOINS}
   WHERE d.target_id = $1 AND d.space_id = $2 AND d.kind = $3 AND ($4::text IS NULL OR d.status = $4) AND ($5::uuid IS NULL OR d.id < $5)
   ORDER BY d.id DESC LIMIT $6`,
  SUMMARY_COLUMNS,
);

/** The dead letters among {@link LIST_DELIVERIES}: whoever is dead has an error, nobody else has one, and these have an index. */
export const LIST_DEAD_LETTERS = statement(
  'delivery_list_dead',
  `SELECT ${SUMMARY} FROM deliveries d ${JOINS}
   WHERE d.target_id = $1 AND d.space_id = $2 AND d.kind = $3 AND d.error IS NOT NULL AND d.status = 'dead' AND ($4::uuid IS NULL OR d.id < $4)
   ORDER BY d.id DESC LIMIT $5`,
  SUMMARY_COLUMNS,
);

/** Unprepared as well: only a plan for this id leaves out the other days' partitions beforehand. */
export const FIND_DELIVERY = statement(
  'delivery_find',
  `SELECT ${SUMMARY}, d.headers, d.payload_id, p.body FROM deliveries d ${JOINS}
     LEFT JOIN delivery_payloads p ON p.id = d.payload_id AND p.space_id = d.space_id
   WHERE d.id = $1 AND d.space_id = $2`,
  { ...SUMMARY_COLUMNS, headers: 'text', payload_id: 'uuid', body: nullable('bytea') },
);

/** The attempts of one delivery, oldest first; unprepared like {@link FIND_DELIVERY}. */
export const LIST_ATTEMPTS = statement(
  'delivery_list_attempts',
  `SELECT headers, at, status_code, duration_ms, error, response FROM delivery_attempts WHERE delivery_id = $1 AND space_id = $2 ORDER BY at, attempt`,
  {
    headers: nullable('text'),
    at: 'timestamptz',
    status_code: nullable('int4'),
    duration_ms: 'int4',
    error: nullable('text'),
    response: 'text',
  },
);
