import type { Queryable } from '@tieline/platform/database';

/** Long enough for a late answer to be told that it is late. */
const KEPT = `interval '24 hours'`;

/** Deletes triggers that expired over a day ago, in small steps. @returns how many */
export async function dropTriggers(db: Queryable, limit = 5000): Promise<number> {
  const rows = await db.query(
    `DELETE FROM slash_triggers WHERE ctid IN (SELECT ctid FROM slash_triggers WHERE expires_at < clock_timestamp() - ${KEPT} LIMIT $1) RETURNING 1 AS n`,
    [limit],
  );
  return rows.length;
}

/** Deletes the commands of deleted bots, with their secrets. */
export async function dropOrphanedCommands(db: Queryable): Promise<void> {
  await db.query(
    'DELETE FROM slash_commands c USING bots b WHERE b.space_id = c.space_id AND b.id = c.bot_id AND b.deleted_at IS NOT NULL',
  );
}
