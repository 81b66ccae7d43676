import { nullable, statement } from '@tieline/platform/database';
import { SCANNED } from './delivery.statements.js';

/**
 * The log of one target between two ids, oldest first if ordered. Dead letters have their own
 * index.
 */
const LOG = `FROM deliveries d WHERE target_id = $1 AND space_id = $2 AND kind = $3 AND id > $4 AND id < $5`;
const DEAD = `${LOG} AND error IS NOT NULL AND status = 'dead'`;

/**
 * Excludes deliveries that are being sent again, as themselves or as another redelivery of the same
 * one. Subqueries, because a plan for many rows would hash the whole table.
 */
const seenTo = (over: string): string =>
  `coalesce((SELECT l.status IN (${over}) FROM deliveries l WHERE l.id = coalesce(d.redelivered_as,
     (SELECT o.redelivered_as FROM deliveries o WHERE o.id = d.redelivery_of AND o.space_id = d.space_id)) AND l.id <> d.id AND l.space_id = d.space_id), false)`;
const wanted = (over: string): string =>
  `d.status <> 'pending' AND d.created_at >= $6 AND d.created_at < $7 AND (cardinality($8::text[]) = 0 OR d.event_type = ANY($8::text[]))
   AND d.event_type <> $9 AND NOT ${seenTo(over)}`;

const OF_ALL = `'pending'`;
const OF_FAILED = `'pending', 'success'`;

const count = (source: string, over: string): string =>
  `SELECT count(DISTINCT d.event_id) AS n ${source} AND ${wanted(over)}`;
const list = (source: string, over: string): string =>
  `WITH d AS MATERIALIZED (
     SELECT * FROM (SELECT * ${source} ORDER BY id LIMIT ${SCANNED}) d WHERE ${wanted(over)} ORDER BY id LIMIT $10
   ) SELECT id, event_id AS "eventId", event_type AS "eventType",
       (SELECT body FROM delivery_payloads p WHERE p.id = d.payload_id AND p.space_id = d.space_id) AS body FROM d ORDER BY id`;
const end = (source: string): string => `SELECT id ${source} ORDER BY id OFFSET ${SCANNED - 1} LIMIT 1`;

const RECOVERABLE = { id: 'uuid', eventId: 'uuid', eventType: 'text', body: nullable('bytea') } as const;

/**
 * Counts the events of a log that can be sent again. $1 to $5: target, space, kind, after which id,
 * below which id; $6 and $7: since and until; $8: event types; $9: the type that is excluded.
 * Unprepared like all of these, because only a plan for these values fits.
 */
export const COUNT_ENDED = statement('delivery_count_ended', count(LOG, OF_ALL), { n: 'int8' });

/** The same for dead letters whose redelivery has not succeeded. */
export const COUNT_FAILED = statement('delivery_count_failed', count(DEAD, OF_FAILED), { n: 'int8' });

/**
 * Lists the first $10 of {@link COUNT_ENDED}, oldest first, among as many as one page of a log
 * looks at.
 */
export const LIST_ENDED = statement('delivery_list_ended', list(LOG, OF_ALL), RECOVERABLE);

/** The same for {@link COUNT_FAILED}. */
export const LIST_FAILED = statement('delivery_list_failed', list(DEAD, OF_FAILED), RECOVERABLE);

/** The last delivery that {@link LIST_ENDED} looks at, or none at the end of the range. */
export const LAST_OF_ENDED = statement('delivery_last_ended', end(LOG), { id: 'uuid' });

/** The same for {@link LIST_FAILED}. */
export const LAST_OF_FAILED = statement('delivery_last_failed', end(DEAD), { id: 'uuid' });

/**
 * Finds which of the deliveries $2 of the space $1 have ended, with their status. Those no longer
 * in the log count as dead.
 */
export const FIND_ENDED = statement(
  'delivery_find_ended',
  `SELECT g.id, d.status IS NOT DISTINCT FROM 'success' AS succeeded FROM unnest($2::uuid[]) AS g(id) LEFT JOIN deliveries d ON d.id = g.id AND d.space_id = $1
   WHERE d.status IS DISTINCT FROM 'pending'`,
  { id: 'uuid', succeeded: 'bool' },
);

/** Counts the counted deliveries that wait for the target $1, at most $2. */
export const COUNT_WAITING = statement(
  'delivery_count_waiting',
  `SELECT count(*) AS n FROM (SELECT 1 FROM delivery_queue WHERE lane IN (0, 1) AND target_id = $1 LIMIT $2::int) q`,
  { n: 'int8' },
);
