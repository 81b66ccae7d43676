// Blocks that statements touch, in memory or on disk: what a busy machine does not change.
import { ORDERED, SENT, TOLD } from './works.mjs';

const FOUND = `SELECT s.queryid::text AS id, s.query, s.calls::int AS calls, (s.shared_blks_hit + s.shared_blks_read)::float8 AS blocks, s.total_exec_time AS ms
  FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE d.datname = current_database() AND s.toplevel`;
/** Parts of a work by what is in the texts of their statements. */
const PARTS = {
  [TOLD]: {
    [SENT]: [/INSERT INTO messages/],
    'planning of an event': [
      /DELETE FROM outbox\b/,
      /INSERT INTO delivery_payloads/,
      /FROM outgoing_webhooks\s+WHERE id = ANY/,
    ],
  },
  [ORDERED]: { 'claim of a delivery': [/leased AS \(\s+UPDATE delivery_queue/] },
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

/**
 * The same of the parts of a work.
 * @throws Error if no statement has one of the texts, because the product sends another one now
 */
export function perPart(name, statements, works) {
  return Object.fromEntries(
    Object.entries(PARTS[name] ?? {}).map(([part, texts]) => [
      part,
      perWork(new Map(texts.flatMap((text) => withText(statements, text))), works),
    ]),
  );
}

function withText(statements, text) {
  const found = [...statements].filter(([, { query }]) => text.test(query));
  if (found.length === 0) throw new Error(`no statement was sent that has ${text}`);
  return found;
}
