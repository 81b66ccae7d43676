import type { Db } from '../db.js';
import { GROWN_TABLES } from './statistics.statements.js';

/**
 * Runs ANALYZE on tables that have grown considerably since the last time, so that every session
 * plans its statements on them again. A plan made for an empty queue or a new day may read the
 * whole table for each row, and would be kept until autovacuum runs a minute later (docs/adr/0015).
 * Locked tables are skipped.
 * @returns the names of those tables
 * @throws AggregateError after all others, when some failed
 */
export async function analyzeGrown(db: Db): Promise<string[]> {
  const names = (await db.query(GROWN_TABLES, [])).map(({ name }) => name);
  const errors: unknown[] = [];
  for (const name of names)
    await db.query(`ANALYZE (SKIP_LOCKED) ${name}`).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'some tables could not be analyzed');
  return names;
}
