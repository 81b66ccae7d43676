import { nullable, statement } from '@tieline/platform/database';
import { SCANNED } from './delivery.statements.js';

/**
 * The log of one target between two ids, oldest first if ordered. Dead letters have their own
 * index.
 */
const LOG = `FROM deliveries d
    WHERE target_id = :targetId AND space_id = :spaceId AND kind = :kind AND id > :after AND id < :before`;
const DEAD = `${LOG} AND error IS NOT NULL AND status = 'dead'`;
const RANGE = {
  targetId: 'uuid',
  spaceId: 'uuid',
  kind: 'text',
  after: 'uuid',
  before: 'uuid',
} as const;

/**
 * Excludes deliveries that are being sent again, as themselves or as another redelivery of the same
 * one. Subqueries, because a plan for many rows would hash the whole table.
 */
const seenTo = (over: string): string =>
  `coalesce((SELECT l.status IN (${over}) FROM deliveries l WHERE l.id = coalesce(d.redelivered_as,
     (SELECT o.redelivered_as FROM deliveries o WHERE o.id = d.redelivery_of AND o.space_id = d.space_id)) AND l.id <> d.id AND l.space_id = d.space_id), false)`;
const wanted = (over: string): string => `d.status <> 'pending'
      AND d.created_at >= :since
      AND d.created_at < :until
      AND (cardinality(:eventTypes::text[]) = 0 OR d.event_type = ANY(:eventTypes::text[]))
      AND d.event_type <> :leftOut
      AND NOT ${seenTo(over)}`;
const WANTED = {
  since: 'timestamptz',
  until: 'timestamptz',
  eventTypes: 'text[]',
  leftOut: 'text',
} as const;

const OF_ALL = `'pending'`;
const OF_FAILED = `'pending', 'success'`;

const COUNT = { params: { ...RANGE, ...WANTED }, columns: { n: 'int8' } } as const;
const count = (source: string, over: string): string =>
  `SELECT count(DISTINCT d.event_id) AS n ${source} AND ${wanted(over)}`;

const LIST = {
  params: { ...RANGE, ...WANTED, limit: 'int8' },
  columns: { id: 'uuid', eventId: 'uuid', eventType: 'text', body: nullable('bytea') },
} as const;
const list = (source: string, over: string): string => `
  WITH d AS MATERIALIZED (
    SELECT * FROM (SELECT * ${source} ORDER BY id LIMIT ${SCANNED}) d
    WHERE ${wanted(over)}
    ORDER BY id LIMIT :limit
  )
  SELECT
    id,
    event_id AS "eventId",
    event_type AS "eventType",
    (SELECT body FROM delivery_payloads p WHERE p.id = d.payload_id AND p.space_id = d.space_id) AS body
  FROM d
  ORDER BY id
  `;

const END = { params: RANGE, columns: { id: 'uuid' } } as const;
const end = (source: string): string => `SELECT id ${source} ORDER BY id OFFSET ${SCANNED - 1} LIMIT 1`;

/**
 * Counts the events of a log that can be sent again, except those of the type `leftOut`. Unprepared
 * like all of these, because only a plan for these values fits.
 */
export const COUNT_ENDED = statement('deliveries.count_ended', COUNT, count(LOG, OF_ALL));

/** The same for dead letters whose redelivery has not succeeded. */
export const COUNT_FAILED = statement('deliveries.count_failed', COUNT, count(DEAD, OF_FAILED));

/**
 * Lists the first `limit` of {@link COUNT_ENDED}, oldest first, among as many as one page of a log
 * looks at.
 */
export const LIST_ENDED = statement('deliveries.list_ended', LIST, list(LOG, OF_ALL));

/** The same for {@link COUNT_FAILED}. */
export const LIST_FAILED = statement('deliveries.list_failed', LIST, list(DEAD, OF_FAILED));

/** The last delivery that {@link LIST_ENDED} looks at, or none at the end of the range. */
export const LAST_OF_ENDED = statement('deliveries.find_last_ended', END, end(LOG));

/** The same for {@link LIST_FAILED}. */
export const LAST_OF_FAILED = statement('deliveries.find_last_failed', END, end(DEAD));

/**
 * Finds which of the deliveries $2 of the space $1 have ended, with their status. Those no longer
 * in the log count as dead.
 */
export const FIND_ENDED = statement(
  'deliveries.find_ended',
  `SELECT g.id, d.status IS NOT DISTINCT FROM 'success' AS succeeded FROM unnest($2::uuid[]) AS g(id) LEFT JOIN deliveries d ON d.id = g.id AND d.space_id = $1
   WHERE d.status IS DISTINCT FROM 'pending'`,
  { id: 'uuid', succeeded: 'bool' },
);

/** Counts the counted deliveries that wait for the target $1, at most $2. */
export const COUNT_WAITING = statement(
  'deliveries.count_waiting',
  `SELECT count(*) AS n FROM (SELECT 1 FROM delivery_queue WHERE lane IN (0, 1) AND target_id = $1 LIMIT $2::int) q`,
  { n: 'int8' },
);
