import type { Queryable } from '@tieline/platform/database';
import { DROPS } from './drop-interactions.statements.js';

/**
 * Deletes clicks that may be repeated, and interactions, modals and ephemeral messages that expired
 * over a day ago, in small steps. @returns how many
 */
export async function dropInteractions(db: Queryable, limit = 5000): Promise<number> {
  let dropped = 0;
  for (const drop of DROPS) dropped += (await db.query(drop, [limit])).length;
  return dropped;
}
