import { nullable, statement } from '@tieline/platform/database';

/**
 * Time after which no bytes can arrive for a file any more: its upload link expires after 15
 * minutes, and an upload that started in time may take an hour.
 */
const FINAL_AFTER = `interval '2 hours'`;
/** Lifetime of a file that is not attached (docs/files.md#deletion). */
const UNATTACHED_LIFE = `interval '24 hours'`;

const REMOVE = `INSERT INTO file_removals (space_id, file_id, final_after) SELECT space_id, id, created_at + ${FINAL_AFTER} FROM gone RETURNING file_id AS id`;
const THESE = `(space_id, file_id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))`;

/** Deletes a message's files and queues their objects for removal. */
export const DROP_FILES_OF_MESSAGE = statement(
  'files.drop_of_message',
  `WITH gone AS (DELETE FROM files WHERE space_id = $1 AND message_id = $2 RETURNING space_id, id, created_at) ${REMOVE}`,
  { id: 'uuid' },
);

/**
 * Deletes a bot's file, if it is attached to the given message or to none, and queues its object
 * for removal.
 */
export const DROP_OWN_FILE = statement(
  'files.drop_own',
  {
    params: {
      spaceId: 'uuid',
      id: 'uuid',
      botId: 'uuid',
      messageId: nullable('uuid'),
    },
    columns: { id: 'uuid' },
  },
  `
  WITH gone AS (
    DELETE FROM files
    WHERE space_id = :spaceId
      AND id = :id
      AND bot_id = :botId
      AND message_id IS NOT DISTINCT FROM :messageId::uuid
    RETURNING space_id, id, created_at
  )
  ${REMOVE}
  `,
);

/**
 * Deletes up to this many files that were not attached in time. Skips files that are just being
 * attached.
 */
export const DROP_UNATTACHED = statement(
  'files.drop_unattached',
  `WITH old AS MATERIALIZED (
     SELECT space_id, id FROM files WHERE message_id IS NULL AND created_at < statement_timestamp() - ${UNATTACHED_LIFE}
      ORDER BY created_at LIMIT $1 FOR UPDATE SKIP LOCKED
   ), gone AS (
     DELETE FROM files f USING old WHERE f.space_id = old.space_id AND f.id = old.id RETURNING f.space_id, f.id, f.created_at
   ) ${REMOVE}`,
  { id: 'uuid' },
);

/**
 * Claims up to this many objects that are due for removal. Objects of a dead worker are claimed
 * again after the lease.
 */
export const CLAIM_REMOVALS = statement(
  'file_removals.claim_due',
  `WITH due AS MATERIALIZED (
     SELECT space_id, file_id FROM file_removals WHERE due_at <= statement_timestamp() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
   )
   UPDATE file_removals r SET attempts = r.attempts + 1, due_at = clock_timestamp() + interval '5 minutes' FROM due
    WHERE r.space_id = due.space_id AND r.file_id = due.file_id RETURNING r.space_id AS "spaceId", r.file_id AS id`,
  { spaceId: 'uuid', id: 'uuid' },
);

/** Whether a file was not attached in time, or an object is due for removal. */
export const REMOVALS_ARE_DUE = statement(
  'file_removals.check_due',
  `SELECT EXISTS (SELECT 1 FROM file_removals WHERE due_at <= statement_timestamp())
     OR EXISTS (SELECT 1 FROM files WHERE message_id IS NULL AND created_at < statement_timestamp() - ${UNATTACHED_LIFE}) AS due`,
  { due: 'bool' },
);

/**
 * Marks objects as removed. An object that a late upload could still recreate is removed again when
 * that is no longer possible.
 */
export const REMOVALS_DONE = statement(
  'file_removals.finish_removals',
  `WITH done AS (DELETE FROM file_removals WHERE ${THESE} AND final_after <= statement_timestamp())
   UPDATE file_removals SET attempts = 0, due_at = final_after WHERE ${THESE} AND final_after > statement_timestamp()`,
  {},
);

/** Schedules a retry for objects, in 10 seconds to an hour. */
export const REMOVE_AGAIN = statement(
  'file_removals.postpone_removals',
  `UPDATE file_removals SET due_at = clock_timestamp() + least(interval '10 seconds' * 2 ^ least(attempts - 1, 10), interval '1 hour') WHERE ${THESE}`,
  {},
);

/** Counts pending attachments and removals, up to 100,000 each. */
export const COUNT_WAITING = statement(
  'files.count_waiting',
  `SELECT (SELECT count(*) FROM (SELECT 1 FROM message_attachments WHERE status = 'pending' LIMIT 100000) p) AS pending,
     (SELECT count(*) FROM (SELECT 1 FROM file_removals WHERE due_at < statement_timestamp() OR attempts > 0 LIMIT 100000) r) AS removals`,
  { pending: 'int8', removals: 'int8' },
);
