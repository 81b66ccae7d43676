import type { Queryable } from '@tieline/platform/database';
import { DROP_ORPHANED_COMMANDS, FORGET_PREVIOUS_SECRETS } from '../commands/slash-commands.statements.js';
import { DROP_TRIGGERS } from './slash-triggers.statements.js';

/**
 * Deletes triggers that expired more than a day ago, at most `limit` per call. @returns the number
 * of deleted rows
 */
export async function dropTriggers(db: Queryable, limit = 5000): Promise<number> {
  return (await db.query(DROP_TRIGGERS, [limit])).length;
}

/** Deletes the commands of deleted bots, with their secrets. */
export async function dropOrphanedCommands(db: Queryable): Promise<void> {
  await db.query(DROP_ORPHANED_COMMANDS);
}

/** Deletes rotated secrets after their overlap. */
export async function forgetPreviousSecrets(db: Queryable): Promise<void> {
  await db.query(FORGET_PREVIOUS_SECRETS);
}
