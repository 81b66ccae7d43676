// Blocks that statements touch, in memory or on disk: what a busy machine does not change.
import { SENT } from './works.mjs';

const FOUND = `SELECT s.queryid::text AS id, s.query, s.calls::int AS calls, (s.shared_blks_hit + s.shared_blks_read)::float8 AS blocks, s.total_exec_time AS ms
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND s.toplevel`;
/** By how a statement's text begins or what is in it. */
const PARTS = {
  [SENT]: [/INSERT INTO messages/],
  'planning of an event': [
    /^DELETE FROM outbox WHERE id = ANY\(ARRAY/,
    /^WITH planned AS/,
    /^INSERT INTO delivery_payloads/,
    /FROM outgoing_webhooks WHERE id = ANY/,
  ],
  'claim of a delivery': [/leased AS \(\s+UPDATE delivery_queue/],
};

/** @param {import('pg').Client} db @returns what each statement did since `before` */
export async function statementsSince(db, before = new Map()) {
  const { rows } = await db.query(FOUND);
  /** @type {Map<string, { query: string, calls: number, blocks: number, ms: number }>} */
  const since = new Map();
  for (const { id, query, calls, blocks, ms } of rows) {
    const seen = before.get(id) ?? { calls: 0, blocks: 0, ms: 0 };
    if (calls > seen.calls)
      since.set(id, { query, calls: calls - seen.calls, blocks: blocks - seen.blocks, ms: ms - seen.ms });
  }
  return since;
}

/**
 * Per piece of work. Statements called much less often than the work was done belong to something
 * else.
 */
export function perWork(statements, works) {
  const own = [...statements.values()].filter(({ calls }) => calls >= works / 2);
  const sum = (part) => own.reduce((total, one) => total + one[part], 0) / works;
  return { blocks: sum('blocks'), ms: sum('ms') };
}

/** The same of parts of what follows from a message. */
export function perPart(statements, works) {
  return Object.fromEntries(
    Object.entries(PARTS).map(([name, texts]) => [
      name,
      perWork(
        new Map([...statements].filter(([, { query }]) => texts.some((text) => text.test(query)))),
        works,
      ),
    ]),
  );
}
