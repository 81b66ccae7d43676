import type { Db } from '../db.js';
import { runInWorkerTx } from '../run-in-tx.js';
import { GROWN_TABLES } from './statistics.statements.js';

/**
 * A tenth of the server's default, so that 3,000 rows are sampled instead of 30,000, because other
 * statements wait for the core. Autovacuum takes the larger sample later.
 */
const STATISTICS_TARGET = 10;

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
  for (const name of names) await analyze(db, name).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, 'some tables could not be analyzed');
  return names;
}

function analyze(db: Db, name: string): Promise<unknown> {
  return runInWorkerTx(db, async (tx) => {
    await tx.query(`SET LOCAL default_statistics_target = ${STATISTICS_TARGET}`);
    await tx.query(`ANALYZE (SKIP_LOCKED) ${name}`);
  });
}
