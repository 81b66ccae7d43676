import { NOTIFICATION_LOCKS } from '@tieline/background';
import { json, statement } from '@tieline/platform/database';
import type { JobNotice } from './notification-job.js';

/** Maximum number of spaces in one claim, and of messages per space. */
export const SPACES_PER_CLAIM = 16;
export const JOBS_PER_SPACE = 32;
/**
 * Number of members read together, and maximum number of notifications written by one batch. A
 * single message may exceed it.
 */
export const CHUNK = 2_000;

const COLUMNS = `
  j.space_id AS "spaceId",
  j.event_id AS "eventId",
  j.message_id AS "messageId",
  j.conversation_id AS "conversationId",
  j.channel_id AS "channelId",
  j.notice,
  j.occurred_at AS "occurredAt",
  j.rank,
  j.position,
  j.ctid::text`;
const JOB = {
  spaceId: 'uuid',
  eventId: 'uuid',
  messageId: 'uuid',
  conversationId: 'uuid',
  channelId: 'uuid',
  notice: json<JobNotice>(),
  occurredAt: 'timestamptz',
  rank: 'int2',
  position: 'int8',
  ctid: 'text',
} as const;

/** Inserts messages in the given order. */
export const INSERT_JOBS = statement(
  'notification_jobs.insert_jobs',
  {
    params: {
      spaceIds: 'uuid[]',
      eventIds: 'uuid[]',
      messageIds: 'uuid[]',
      conversationIds: 'uuid[]',
      channelIds: 'uuid[]',
      notices: 'json[]',
      occurredAt: 'timestamptz[]',
    },
    columns: {},
  },
  `
  INSERT INTO notification_jobs (
    space_id,
    event_id,
    message_id,
    conversation_id,
    channel_id,
    notice,
    occurred_at
  )
  SELECT
    space_id,
    event_id,
    message_id,
    conversation_id,
    channel_id,
    notice,
    occurred_at
  FROM unnest(
    :spaceIds::uuid[],
    :eventIds::uuid[],
    :messageIds::uuid[],
    :conversationIds::uuid[],
    :channelIds::uuid[],
    :notices::jsonb[],
    :occurredAt::timestamptz[]
  ) WITH ORDINALITY AS j (
    space_id,
    event_id,
    message_id,
    conversation_id,
    channel_id,
    notice,
    occurred_at,
    n
  )
  ORDER BY n
  `,
);

/**
 * Visits the spaces that have messages, with one index probe each, starting after $1 and wrapping
 * around, and claims the first $2 of each. Skips a space whose lock another worker holds, so that
 * messages of one space never overtake each other. Also locks the rows, because rows that another
 * worker has just deleted may still be in this snapshot. Run it with sorts disabled: a plan that
 * assumes few messages per space reads all of them, and a busy space has many.
 */
export const CLAIM_FRESH = statement(
  'notification_jobs.claim_fresh',
  `WITH RECURSIVE walk AS (
     SELECT $1::uuid AS space_id, 0 AS turn, false AS is_round
     UNION ALL
     SELECT coalesce(step.space_id, CASE WHEN NOT w.is_round THEN (SELECT j.space_id FROM notification_jobs j WHERE j.attempts = 0 ORDER BY j.space_id LIMIT 1) END),
            w.turn + 1, w.is_round OR step.space_id IS NULL
       FROM walk w CROSS JOIN LATERAL (
         SELECT (SELECT j.space_id FROM notification_jobs j WHERE j.attempts = 0 AND j.space_id > w.space_id ORDER BY j.space_id LIMIT 1) AS space_id OFFSET 0
       ) step
      WHERE w.space_id IS NOT NULL AND w.turn < ${SPACES_PER_CLAIM}
   ), waiting AS MATERIALIZED (
     SELECT space_id, turn FROM walk WHERE turn > 0 AND space_id IS NOT NULL AND (NOT is_round OR space_id <= $1)
   ), mine AS MATERIALIZED (
     SELECT space_id, turn FROM waiting WHERE pg_try_advisory_xact_lock(${NOTIFICATION_LOCKS}, hashtext(space_id::text))
   )
   SELECT ${COLUMNS}, mine.turn FROM mine CROSS JOIN LATERAL (
     SELECT *, ctid FROM notification_jobs WHERE space_id = mine.space_id AND attempts = 0 ORDER BY rank, position LIMIT (SELECT $2::int) FOR UPDATE SKIP LOCKED
   ) j`,
  { ...JOB, turn: 'int4' },
);

/**
 * Claims those of the given messages that still exist and are due, in spaces that no other worker
 * has locked. $1 spaces, $2 events
 */
export const CLAIM_THESE = statement(
  'notification_jobs.claim_listed',
  `WITH wanted AS MATERIALIZED (
     SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS w(space_id, event_id)
   ), mine AS MATERIALIZED (
     SELECT space_id FROM (SELECT DISTINCT space_id FROM wanted) s WHERE pg_try_advisory_xact_lock(${NOTIFICATION_LOCKS}, hashtext(space_id::text))
   )
   SELECT ${COLUMNS} FROM mine JOIN wanted USING (space_id) CROSS JOIN LATERAL (
     SELECT *, ctid FROM notification_jobs
      WHERE space_id = wanted.space_id AND event_id = wanted.event_id AND due_at <= statement_timestamp() FOR UPDATE SKIP LOCKED
   ) j`,
  JOB,
);

/**
 * Finds up to $1 failed messages that are due, among the oldest thousand, taking turns between
 * spaces.
 */
export const FIND_FAILED = statement(
  'notification_jobs.find_failed',
  `SELECT space_id AS "spaceId", event_id AS "eventId" FROM (
     SELECT space_id, event_id, due_at, row_number() OVER (PARTITION BY space_id ORDER BY due_at) AS turn FROM (
       SELECT space_id, event_id, due_at FROM notification_jobs WHERE attempts > 0 AND due_at <= statement_timestamp() ORDER BY due_at LIMIT 1000
     ) due
   ) by_turn ORDER BY turn, due_at LIMIT $1`,
  { spaceId: 'uuid', eventId: 'uuid' },
);

const HAS_FRESH = 'EXISTS (SELECT 1 FROM notification_jobs WHERE attempts = 0)';
const HAS_FAILED =
  'EXISTS (SELECT 1 FROM notification_jobs WHERE attempts > 0 AND due_at <= statement_timestamp())';

/** Whether there is a new message, or a failed one that is due. */
export const JOBS_ARE_DUE = statement(
  'notification_jobs.check_due',
  `SELECT ${HAS_FRESH} OR ${HAS_FAILED} AS due`,
  { due: 'bool' },
);

/** Says which kinds of messages are due: new ones, and failed ones. */
export const FIND_DUE_KINDS = statement(
  'notification_jobs.find_due_kinds',
  `SELECT ${HAS_FRESH} AS "hasFresh", ${HAS_FAILED} AS "hasFailed"`,
  { hasFresh: 'bool', hasFailed: 'bool' },
);

/** Counts the people in channels, up to {@link CHUNK} each. $1 spaces, $2 channels */
export const COUNT_MEMBERS = statement(
  'notification_jobs.count_people',
  `SELECT c.channel_id AS "channelId", (SELECT count(*) FROM (
     SELECT 1 FROM conversation_members m WHERE m.space_id = c.space_id AND m.conversation_id = c.channel_id AND m.member_type = 'user' LIMIT ${CHUNK}
   ) few)::int AS people FROM unnest($1::uuid[], $2::uuid[]) AS c(space_id, channel_id)`,
  { channelId: 'uuid', people: 'int4' },
);

/** Deletes processed messages, whose rows the transaction has locked, by their ctid. */
export const DELETE_JOBS = statement(
  'notification_jobs.delete_jobs',
  'DELETE FROM notification_jobs WHERE ctid = ANY ($1::text[]::tid[]) RETURNING 1 AS n',
  { n: 'int4' },
);

/**
 * Records a failed attempt: schedules a retry in one second to half an hour or, after the last
 * attempt, moves the message to `notification_rejected` with the reason. Returns the number of
 * attempts.
 */
export const FAIL_JOB = statement(
  'notification_jobs.fail_job',
  {
    params: {
      spaceId: 'uuid',
      eventId: 'uuid',
      maxAttempts: 'int4',
      reason: 'text',
    },
    columns: { attempts: 'int2', isRejected: 'bool' },
  },
  `
  WITH again AS (
    UPDATE notification_jobs
    SET
      attempts = attempts + 1,
      due_at = clock_timestamp() + least(interval '1 second' * 4 ^ attempts, interval '30 minutes')
    WHERE space_id = :spaceId AND event_id = :eventId AND attempts + 1 < :maxAttempts
    RETURNING attempts
  ), bad AS (
    DELETE FROM notification_jobs
    WHERE space_id = :spaceId AND event_id = :eventId AND attempts + 1 >= :maxAttempts
    RETURNING *
  ), rejected AS (
    INSERT INTO notification_rejected (
      space_id,
      event_id,
      message_id,
      conversation_id,
      channel_id,
      notice,
      occurred_at,
      attempts,
      error
    )
    SELECT
      space_id,
      event_id,
      message_id,
      conversation_id,
      channel_id,
      notice,
      occurred_at,
      attempts + 1,
      :reason
    FROM bad
    ON CONFLICT (space_id, event_id) DO UPDATE
    SET
      error = excluded.error,
      rejected_at = excluded.rejected_at
    RETURNING attempts
  )
  SELECT attempts, false AS "isRejected" FROM again
  UNION ALL
  SELECT attempts, true FROM rejected
  `,
);

/** Deletes rejected messages older than a week. $1 limit */
export const DROP_REJECTED = statement(
  'notification_jobs.drop_rejected',
  `DELETE FROM notification_rejected WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM notification_rejected WHERE rejected_at < statement_timestamp() - interval '7 days' LIMIT $1 FOR UPDATE SKIP LOCKED)) RETURNING 1 AS n`,
  { n: 'int4' },
);

/** Counts pending messages, up to 100,000, and returns the age of the oldest. */
export const COUNT_JOBS = statement(
  'notification_jobs.count_jobs',
  `SELECT count(*) FILTER (WHERE attempts = 0) AS waiting, count(*) FILTER (WHERE attempts > 0) AS failed,
     coalesce(extract(epoch FROM clock_timestamp() - min(occurred_at) FILTER (WHERE attempts = 0)), 0)::float8 AS age
     FROM (SELECT attempts, occurred_at FROM notification_jobs LIMIT 100000) j`,
  { waiting: 'int8', failed: 'int8', age: 'float8' },
);
