import type { Db } from '../db.js';
import { GROWN_TABLES } from './statistics.statements.js';

/**
 * Has the server count tables that have grown much since it last did, which makes every session
 * plan its statements on them anew. A plan that was made while a queue was empty, or a day had just
 * begun, may read all of a table for each row, and would be kept until the server's own analysis,
 * which comes a minute later (docs/adr/0015). A table that is locked is left out.
 * @returns the names of those tables
 * @throws AggregateError after all the others, when some could not be counted
 */
export async function analyzeGrown(db: Db): Promise<string[]> {
  const names = (await db.query(GROWN_TABLES, [])).map(({ name }) => name);
  const errors: unknown[] = [];
  for (const name of names)
    await db.query(`ANALYZE (SKIP_LOCKED) ${name}`).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'some tables could not be analyzed');
  return names;
}
