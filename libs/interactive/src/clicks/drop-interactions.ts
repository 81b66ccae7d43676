import type { Queryable } from '@tieline/platform/database';

/** What is left of what people did, and for how long after its time: long enough for a late answer to be told that it is late. */
const LEFT_OVER = [
  { table: 'component_clicks', kept: '0 seconds' },
  { table: 'interactions', kept: '24 hours' },
  { table: 'modals', kept: '24 hours' },
] as const;

/** Deletes clicks that may be repeated, and interactions and modals that expired over a day ago, in small steps. @returns how many */
export async function dropInteractions(db: Queryable, limit = 5000): Promise<number> {
  let dropped = 0;
  for (const { table, kept } of LEFT_OVER) {
    const rows = await db.query(
      `DELETE FROM ${table} WHERE ctid IN (
         SELECT ctid FROM ${table} WHERE expires_at < clock_timestamp() - interval '${kept}' ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
       ) RETURNING 1 AS n`,
      [limit],
    );
    dropped += rows.length;
  }
  return dropped;
}
