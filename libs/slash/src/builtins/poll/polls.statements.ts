import { statement } from '@tieline/platform/database';

export const INSERT_POLL = statement(
  'polls.insert',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      creatorId: 'uuid',
      question: 'text',
      options: 'text[]',
    },
    columns: {},
  },
  `
  INSERT INTO polls (
    space_id,
    message_id,
    creator_id,
    question,
    options
  )
  VALUES (
    :spaceId,
    :messageId,
    :creatorId,
    :question,
    :options
  )
  `,
);

/** `isShown`: the poll's message shows all votes. $1 space, $2 message */
export const LOCK_POLL = statement(
  'polls.lock',
  `SELECT creator_id AS "creatorId", question, options, closed_at IS NOT NULL AS "isClosed", version = shown_version AS "isShown"
     FROM polls WHERE space_id = $1 AND message_id = $2 FOR NO KEY UPDATE`,
  { creatorId: 'uuid', question: 'text', options: 'text[]', isClosed: 'bool', isShown: 'bool' },
);

/** $1 space, $2 message */
export const FIND_POLL = statement(
  'polls.find',
  'SELECT 1 AS n FROM polls WHERE space_id = $1 AND message_id = $2',
  { n: 'int4' },
);

/**
 * The poll's row serializes votes and closing. Its version counts changes that the message may not
 * show yet. Returns no row if the poll is closed or has no such option.
 */
export const SET_VOTE = statement(
  'poll_votes.set',
  {
    params: {
      spaceId: 'uuid',
      messageId: 'uuid',
      userId: 'uuid',
      option: 'int4',
    },
    columns: { n: 'int4' },
  },
  `
  WITH poll AS (
    UPDATE polls
    SET
      version = version + 1,
      changed_at = clock_timestamp()
    WHERE space_id = :spaceId
      AND message_id = :messageId
      AND closed_at IS NULL
      AND :option BETWEEN 1 AND cardinality(options)
    RETURNING 1
  )
  INSERT INTO poll_votes (
    space_id,
    message_id,
    user_id,
    option
  )
  SELECT
    :spaceId,
    :messageId,
    :userId,
    :option::smallint
  FROM poll
  ON CONFLICT (space_id, message_id, user_id) DO UPDATE
  SET option = excluded.option
  RETURNING 1 AS n
  `,
);

/** $1 space, $2 message */
export const COUNT_VOTES = statement(
  'poll_votes.count',
  'SELECT option, count(*) AS votes FROM poll_votes WHERE space_id = $1 AND message_id = $2 GROUP BY option',
  { option: 'int2', votes: 'int8' },
);

/** $1 space, $2 message */
export const CLOSE_POLL = statement(
  'polls.close',
  'UPDATE polls SET closed_at = clock_timestamp(), version = version + 1 WHERE space_id = $1 AND message_id = $2',
  {},
);

/** $1 space, $2 message */
export const MARK_POLL_SHOWN = statement(
  'polls.mark_shown',
  'UPDATE polls SET shown_version = version WHERE space_id = $1 AND message_id = $2',
  {},
);

/** Whether a poll has votes that have not been shown for $1 seconds. */
export const VOTES_ARE_UNSHOWN = statement(
  'polls.check_unshown',
  `SELECT EXISTS (
     SELECT 1 FROM polls WHERE version > shown_version AND changed_at <= statement_timestamp() - $1::float8 * interval '1 second'
   ) AS due`,
  { due: 'bool' },
);

/** Oldest first. $1 minimum age in seconds, $2 maximum number of rows */
export const FIND_UNSHOWN_POLLS = statement(
  'polls.find_unshown',
  `SELECT space_id AS "spaceId", message_id AS "messageId" FROM polls
    WHERE version > shown_version AND changed_at <= statement_timestamp() - $1::float8 * interval '1 second' ORDER BY changed_at LIMIT $2`,
  { spaceId: 'uuid', messageId: 'uuid' },
);
