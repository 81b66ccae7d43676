import type { Queryable, Tx } from '@tieline/platform/database';

/**
 * From then on nothing can arrive under a file's key: its upload link lives 15 minutes, and an upload that began in time may go
 * on for an hour.
 */
const FINAL_AFTER = `interval '2 hours'`;
/** Decisions, section 6. */
const UNATTACHED_LIFE = `interval '24 hours'`;
const BATCH = 500;

const REMOVE = `INSERT INTO file_removals (space_id, file_id, final_after) SELECT space_id, id, created_at + ${FINAL_AFTER} FROM gone RETURNING 1`;

/** Takes a message's files away from it for good; their bytes are removed by a job. The caller holds the conversation's row lock. */
export async function dropFilesOfMessage(tx: Tx, spaceId: string, messageId: string): Promise<void> {
  await tx.query(
    `WITH gone AS (DELETE FROM files WHERE space_id = $1 AND message_id = $2 RETURNING space_id, id, created_at) ${REMOVE}`,
    [spaceId, messageId],
  );
}

/**
 * Drops files that nobody attached within 24 hours, ready or not; one that is being attached right now stays.
 * @returns how many, up to a batch
 */
export async function dropUnattached(q: Queryable): Promise<number> {
  const dropped = await q.query(
    `WITH old AS (
       SELECT space_id, id FROM files WHERE message_id IS NULL AND created_at < clock_timestamp() - ${UNATTACHED_LIFE}
        ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
     ), gone AS (
       DELETE FROM files f USING old WHERE f.space_id = old.space_id AND f.id = old.id RETURNING f.space_id, f.id, f.created_at
     ) ${REMOVE}`,
  );
  return dropped.length;
}
