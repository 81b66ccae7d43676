/** What PostgreSQL has counted: statements, transactions, syncs and bytes of its log. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The server settings that counting needs. */
export const COUNTING = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.max': '5000',
};

/**
 * Time in which all sessions report: idle ones do after 10 seconds at the latest. In milliseconds.
 */
export const REPORTED_MS = 11_000;

/**
 * @typedef {{ calls: number, ms: number, planMs: number, wal: number }} StatementCounts
 *
 * @typedef {object} Counts
 * @property {Map<string, StatementCounts>} statements by text
 * @property {number} transactions
 * @property {number} syncs of the log
 * @property {number} walBytes
 * @property {number} at as `performance.now()`
 */

/** Creates what {@link counted} reads. @param {import('pg').Client} client of a superuser */
export async function prepareCounting(client) {
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  await client.query('SET pg_stat_statements.track = none');
}

/**
 * Waits until all sessions have reported, and returns the sums since the start of the server.
 * @param {import('pg').Client} client
 * @returns {Promise<Counts>}
 */
export async function counted(client) {
  await sleep(REPORTED_MS);
  const database = `(SELECT oid FROM pg_database WHERE datname = current_database())`;
  const { rows } = await client.query(
    `SELECT query, sum(calls)::float8 AS calls, sum(total_exec_time) AS ms, sum(total_plan_time) AS plan_ms,
       sum(wal_bytes)::float8 AS wal
     FROM pg_stat_statements WHERE dbid = ${database} GROUP BY query`,
  );
  const {
    rows: [sums],
  } = await client.query(
    `SELECT (SELECT (xact_commit + xact_rollback)::float8 FROM pg_stat_database WHERE datname = current_database()) AS transactions,
       (SELECT sum(fsyncs)::float8 FROM pg_stat_io WHERE object = 'wal') AS syncs,
       (pg_current_wal_insert_lsn() - '0/0')::float8 AS wal`,
  );
  return {
    statements: new Map(rows.map(({ query, plan_ms: planMs, ...row }) => [query, { ...row, planMs }])),
    transactions: sums.transactions,
    syncs: sums.syncs,
    walBytes: sums.wal,
    at: performance.now(),
  };
}

/**
 * @param {Counts} before @param {Counts} after
 * @param {number} per divides every count: events, or seconds
 */
export function difference(before, after, per) {
  const statements = [...after.statements].map(([query, { calls, ms, planMs, wal }]) => {
    const old = before.statements.get(query) ?? { calls: 0, ms: 0, planMs: 0, wal: 0 };
    return {
      query,
      calls: (calls - old.calls) / per,
      ms: (ms - old.ms) / per,
      planMs: (planMs - old.planMs) / per,
      wal: (wal - old.wal) / per,
    };
  });
  return {
    rows: statements.filter(({ calls }) => calls > 0).sort((a, b) => b.calls - a.calls),
    statements: statements.reduce((sum, { calls }) => sum + calls, 0),
    transactions: (after.transactions - before.transactions) / per,
    syncs: (after.syncs - before.syncs) / per,
    walBytes: (after.walBytes - before.walBytes) / per,
  };
}
