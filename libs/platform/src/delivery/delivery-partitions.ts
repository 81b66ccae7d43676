import { runInTx } from '../database/index.js';
import type { Db, Tx } from '../database/index.js';

/** Log tables, partitioned by day by the time inside their UUIDv7. */
const TABLES = ['delivery_payloads', 'deliveries', 'delivery_attempts'] as const;
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 3;
/** Deliveries and attempts are readable for 30 days (decisions, section 4). */
export const LOG_RETENTION_DAYS = 30;
const LOCK_KEY = 7_130_003;

/** The smallest UUIDv7 of a moment. */
export function uuidFloor(at: Date): string {
  const hex = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Makes the partitions of today and the next days, and drops those whose whole day is out of retention. */
export async function rotatePartitions(db: Db, now = new Date()): Promise<void> {
  await runInTx(db, async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [LOCK_KEY]);
    for (const table of TABLES) {
      const present = await partitionsOf(tx, table);
      for (let day = -1; day <= DAYS_AHEAD; day += 1) await create(tx, table, new Date(now.getTime() + day * DAY_MS), present);
      for (const name of present) if (isOutdated(table, name, now)) await tx.query(`DROP TABLE ${name}`);
    }
  });
}

async function create(tx: Tx, table: string, day: Date, present: Set<string>): Promise<void> {
  const name = `${table}_${dayName(day)}`;
  if (present.has(name)) return;
  const from = new Date(Math.floor(day.getTime() / DAY_MS) * DAY_MS);
  const to = new Date(from.getTime() + DAY_MS);
  // Rows that went to the default partition while nobody made this one move in with it.
  await tx.query(`CREATE TABLE ${name} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)${table === 'deliveries' ? ' WITH (fillfactor = 80)' : ''}`);
  const column = table === 'delivery_attempts' ? 'delivery_id' : 'id';
  await tx.query(
    `WITH moved AS (DELETE FROM ${table}_default WHERE ${column} >= $1 AND ${column} < $2 RETURNING *) INSERT INTO ${name} SELECT * FROM moved`,
    [uuidFloor(from), uuidFloor(to)],
  );
  await tx.query(`ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${uuidFloor(from)}') TO ('${uuidFloor(to)}')`);
}

async function partitionsOf(tx: Tx, table: string): Promise<Set<string>> {
  const rows = await tx.query<{ name: string }>('SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = $1::regclass', [table]);
  return new Set(rows.map((row) => row.name));
}

function isOutdated(table: string, name: string, now: Date): boolean {
  const match = new RegExp(`^${table}_(\\d{4})(\\d{2})(\\d{2})$`).exec(name);
  if (!match) return false;
  const end = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3])) + DAY_MS;
  return end < now.getTime() - LOG_RETENTION_DAYS * DAY_MS;
}

function dayName(day: Date): string {
  return day.toISOString().slice(0, 10).replaceAll('-', '');
}
