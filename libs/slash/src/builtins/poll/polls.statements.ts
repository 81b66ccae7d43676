import { statement } from '@tieline/platform/database';

/** $1 space, $2 message, $3 creator, $4 question, $5 options */
export const INSERT_POLL = statement(
  'slash.insert_poll',
  'INSERT INTO polls (space_id, message_id, creator_id, question, options) VALUES ($1, $2, $3, $4, $5)',
  {},
);

/** `isShown`: the poll's message shows all votes. $1 space, $2 message */
export const LOCK_POLL = statement(
  'slash.lock_poll',
  `SELECT creator_id AS "creatorId", question, options, closed_at IS NOT NULL AS "isClosed", version = shown_version AS "isShown"
     FROM polls WHERE space_id = $1 AND message_id = $2 FOR NO KEY UPDATE`,
  { creatorId: 'uuid', question: 'text', options: 'text[]', isClosed: 'bool', isShown: 'bool' },
);

/** $1 space, $2 message */
export const IS_POLL = statement(
  'slash.is_poll',
  'SELECT 1 AS n FROM polls WHERE space_id = $1 AND message_id = $2',
  { n: 'int4' },
);

/**
 * The poll's row serializes votes and closing. Its version counts changes that the message may not
 * show yet. $1 space, $2 message, $3 person, $4 option
 */
export const VOTE = statement(
  'slash.vote',
  `WITH poll AS (
     UPDATE polls SET version = version + 1, changed_at = clock_timestamp()
      WHERE space_id = $1 AND message_id = $2 AND closed_at IS NULL AND $4 BETWEEN 1 AND cardinality(options) RETURNING 1)
   INSERT INTO poll_votes (space_id, message_id, user_id, option) SELECT $1, $2, $3, $4::smallint FROM poll
   ON CONFLICT (space_id, message_id, user_id) DO UPDATE SET option = excluded.option RETURNING 1 AS n`,
  { n: 'int4' },
);

/** $1 space, $2 message */
export const COUNT_VOTES = statement(
  'slash.count_votes',
  'SELECT option, count(*) AS votes FROM poll_votes WHERE space_id = $1 AND message_id = $2 GROUP BY option',
  { option: 'int2', votes: 'int8' },
);

/** $1 space, $2 message */
export const CLOSE_POLL = statement(
  'slash.close_poll',
  'UPDATE polls SET closed_at = clock_timestamp(), version = version + 1 WHERE space_id = $1 AND message_id = $2',
  {},
);

/** $1 space, $2 message */
export const MARK_POLL_SHOWN = statement(
  'slash.mark_poll_shown',
  'UPDATE polls SET shown_version = version WHERE space_id = $1 AND message_id = $2',
  {},
);

/** Oldest first. $1 minimum age in seconds, $2 maximum number of rows */
export const FIND_UNSHOWN_POLLS = statement(
  'slash.find_unshown_polls',
  `SELECT space_id AS "spaceId", message_id AS "messageId" FROM polls
    WHERE version > shown_version AND changed_at <= statement_timestamp() - $1::float8 * interval '1 second' ORDER BY changed_at LIMIT $2`,
  { spaceId: 'uuid', messageId: 'uuid' },
);
