import type { Queryable } from '@tieline/platform/database';
import { DROPS } from './drop-interactions.statements.js';

/**
 * Deletes clicks that may be repeated, and interactions, modals and ephemeral messages that expired
 * more than a day ago. Deletes at most `limit` rows per table and call.
 * @returns the number of deleted rows
 */
export async function dropInteractions(db: Queryable, limit = 5000): Promise<number> {
  let dropped = 0;
  for (const drop of DROPS) dropped += (await db.query(drop, [limit])).length;
  return dropped;
}
