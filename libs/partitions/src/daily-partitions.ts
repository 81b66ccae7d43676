import { setTimeout as sleep } from 'node:timers/promises';
import { runInWorkerTx } from '@tieline/platform/database';
import type { Db, Queryable, Tx } from '@tieline/platform/database';
import { PARTITIONS } from './daily-partitions.statements.js';

const DAY_MS = 86_400_000;
const DAYS_AHEAD = 3;
const LOCK_MS = 250;
/** SQLSTATE. */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * A table `<name>` partitioned by range of one column that grows with time, with a default
 * partition `<name>_default`.
 */
export interface DailyTable {
  name: string;
  column: string;
  /** Returns the smallest value of the column for a time, as the text of an SQL literal. */
  floor: (at: Date) => string;
  /** Days that ended longer ago are dropped whole. */
  retentionMs: number;
  /** Storage parameters of each partition, such as `fillfactor = 80`. */
  storage?: string;
}

/**
 * Number of tries for a locked table, and the pause before the second try in milliseconds. Each
 * further pause is twice as long.
 */
export interface LockRetries {
  tries: number;
  pauseMs: number;
  /** Ends the retries. */
  signal?: AbortSignal;
}

/** Gives up after the first try. */
export const NO_RETRIES: LockRetries = { tries: 1, pauseMs: 0 };

/** Returns the smallest UUIDv7 of a time. */
export function uuidFloor(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Returns the time in a UUIDv7, in milliseconds since 1970. */
export function uuidTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/**
 * Creates the partitions of yesterday, today and the next days, and drops expired ones, each in its
 * own transaction under the advisory lock. It needs locks that a dump blocks, and readers wait
 * behind it, so it gives up after a quarter of a second and retries as `retries` says. Partitions
 * exist days in advance. (DETACH … CONCURRENTLY would block no one, but is refused for tables with
 * a default partition.)
 *
 * @throws Error with code 55P03 when another session holds the table
 */
export async function rotateDailyPartitions(
  db: Db,
  table: DailyTable,
  lock: number,
  now = new Date(),
  retries = NO_RETRIES,
): Promise<void> {
  const step = (work: (tx: Tx) => Promise<unknown>): Promise<void> => underLock(db, lock, retries, work);
  const missing = missingDays(table, now, await partitionsOf(db, table.name));
  for (const day of missing)
    await step(async (tx) => create(tx, table, day, await partitionsOf(tx, table.name)));
  for (const name of await partitionsOf(db, table.name))
    if (isOutdated(table, name, now)) await step((tx) => tx.query(`DROP TABLE IF EXISTS ${name}`));
  // Rows for which no partition was created in time. Rarely any.
  await db.query(`DELETE FROM ${table.name}_default WHERE ${table.column} < $1`, [
    table.floor(new Date(now.getTime() - table.retentionMs - DAY_MS)),
  ]);
}

async function underLock(
  db: Db,
  lock: number,
  { tries, pauseMs, signal }: LockRetries,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await onceUnderLock(db, lock, work);
    } catch (error) {
      const isHeld = (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
      if (!isHeld || attempt >= tries || signal?.aborted === true) throw error;
      await sleep(pauseMs * 2 ** (attempt - 1), undefined, { signal }).catch(() => undefined);
    }
  }
}

async function onceUnderLock(db: Db, lock: number, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  await runInWorkerTx(db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [lock]);
    await tx.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    await work(tx);
  });
}

function missingDays(table: DailyTable, now: Date, present: Set<string>): Date[] {
  const days: Date[] = [];
  for (let day = -1; day <= DAYS_AHEAD; day += 1) days.push(new Date(now.getTime() + day * DAY_MS));
  return days.filter((day) => !present.has(partitionOf(table, day)));
}

function partitionOf({ name }: DailyTable, day: Date): string {
  return `${name}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

async function create(tx: Tx, daily: DailyTable, day: Date, present: Set<string>): Promise<void> {
  const { name: table, column, floor, storage } = daily;
  const name = partitionOf(daily, day);
  if (present.has(name)) return;
  const from = new Date(Math.floor(day.getTime() / DAY_MS) * DAY_MS);
  const [low, high] = [floor(from), floor(new Date(from.getTime() + DAY_MS))];
  // Blocks concurrent statements here, before they look up the partitions. If they waited at the
  // default partition, which ATTACH locks, they would continue with the old list, and the moved
  // rows would be in none of them.
  await tx.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
  await tx.query(
    `CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)${storage === undefined ? '' : ` WITH (${storage})`}`,
  );
  // Moves rows from the default partition into the new one.
  await tx.query(
    `WITH moved AS (DELETE FROM ${table}_default WHERE ${column} >= $1 AND ${column} < $2 RETURNING *) INSERT INTO ${name} SELECT * FROM moved`,
    [low, high],
  );
  await tx.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${low}') TO ('${high}')`);
}

async function partitionsOf(q: Queryable, table: string): Promise<Set<string>> {
  return new Set((await q.query(PARTITIONS, [table])).map(({ name }) => name));
}

function isOutdated({ name: table, retentionMs }: DailyTable, name: string, now: Date): boolean {
  const match = new RegExp(`^${table}_(\\d{4})(\\d{2})(\\d{2})$`).exec(name);
  if (!match) return false;
  const end = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) + DAY_MS;
  return end < now.getTime() - retentionMs;
}
