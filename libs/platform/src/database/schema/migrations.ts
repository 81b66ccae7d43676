import pg from 'pg';
import { ADVISORY_LOCKS } from '@tieline/background';
import type { Queryable } from '../db.js';
import type { Migration } from './discover-migrations.js';
import { APPLIED_MIGRATIONS, SERVER_VERSION } from './migrations.statements.js';
import { checkServerVersion, requireServerVersion } from './server-version.js';
import type { RowOf } from '../statement.js';

/**
 * Thrown when the database and the program disagree about the applied migrations. The start fails.
 */
export class MigrationDrift extends Error {}

type AppliedMigration = RowOf<typeof APPLIED_MIGRATIONS>;

/** An applied migration whose file has a new lib or name. */
interface MovedMigration {
  from: AppliedMigration;
  to: Migration;
}

/**
 * Applies missing migrations, each in its own transaction, under an advisory lock: when several
 * processes start concurrently, one works while the others wait.
 *
 * @throws MigrationDrift when an applied migration was changed, or is unknown to this program and
 * does not declare that it works with it.
 * @throws ServerTooOld before any change.
 */
export async function runMigrations(
  databaseUrl: string,
  migrations: Migration[],
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-migrate' });
  await client.connect();
  try {
    requireServerVersion((await client.query<RowOf<typeof SERVER_VERSION>>(SERVER_VERSION.text)).rows[0]);
    await client.query('SELECT pg_advisory_lock($1)', [ADVISORY_LOCKS.migrations]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      lib text NOT NULL, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), works_with text, PRIMARY KEY (lib, name))`);
    await client.query('ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS works_with text');
    const { moved, pending, newer } = compare(migrations, await appliedOf(client));
    for (const { from, to } of moved) {
      await rename(client, from, to);
      log(`${from.lib}/${from.name} is now ${to.lib}/${to.name}`);
    }
    for (const row of newer) log(`${keyOf(row)} is newer than this program, which works with it`);
    for (const migration of pending) {
      await apply(client, migration);
      log(`applied ${migration.lib}/${migration.name}`);
    }
  } finally {
    await client.end();
  }
}

/**
 * Checks that exactly the known migrations are applied, apart from unknown ones that work with this
 * program. Changes nothing. Processes call it at startup.
 * @throws MigrationDrift when some are missing, changed or unknown.
 * @throws ServerTooOld.
 */
export async function checkMigrations(q: Queryable, migrations: Migration[]): Promise<void> {
  await checkServerVersion(q);
  const applied = await q.query(APPLIED_MIGRATIONS).catch((error: { code?: string }) => {
    if (error.code === '42P01') return [];
    throw error;
  });
  const { pending } = compare(migrations, applied);
  if (pending.length > 0) {
    throw new MigrationDrift(
      `the database lacks ${pending.length} migration(s), first ${pending[0]?.lib}/${pending[0]?.name}: run the migrate command`,
    );
  }
}

interface Comparison {
  moved: MovedMigration[];
  pending: Migration[];
  /** Unknown to this program, but compatible with it. */
  newer: AppliedMigration[];
}

/**
 * Returns the pending changes. An applied migration with an unknown name counts as moved when its
 * text is known.
 */
function compare(migrations: Migration[], applied: AppliedMigration[]): Comparison {
  const known = new Map(migrations.map((migration) => [keyOf(migration), migration]));
  for (const row of applied) {
    const migration = known.get(keyOf(row));
    if (migration && migration.checksum !== row.checksum)
      throw new MigrationDrift(`migration ${keyOf(row)} was changed after it had been applied`);
  }
  const done = new Set(applied.map(keyOf));
  const pending = migrations.filter((migration) => !done.has(keyOf(migration)));
  const moved: MovedMigration[] = [];
  const newer: AppliedMigration[] = [];
  for (const row of applied.filter((one) => !known.has(keyOf(one)))) {
    const to = takeText(pending, row);
    if (to) moved.push({ from: row, to });
    else if (row.worksWith !== null && known.has(row.worksWith)) newer.push(row);
    else throw unknown(row);
  }
  return { moved, pending, newer };
}

/** Removes and returns the pending migration with the text of this applied one. */
function takeText(pending: Migration[], row: AppliedMigration): Migration | undefined {
  const index = pending.findIndex((migration) => migration.checksum === row.checksum);
  return index < 0 ? undefined : pending.splice(index, 1)[0];
}

function unknown(row: AppliedMigration): MigrationDrift {
  return new MigrationDrift(
    `the database has migration ${keyOf(row)}, which this program does not know: it is newer than the program`,
  );
}

function keyOf({ lib, name }: { lib: string; name: string }): string {
  return `${lib}/${name}`;
}

async function appliedOf(client: pg.Client): Promise<AppliedMigration[]> {
  return (await client.query<AppliedMigration>(APPLIED_MIGRATIONS.text)).rows;
}

async function rename(client: pg.Client, from: AppliedMigration, to: Migration): Promise<void> {
  await client.query('UPDATE schema_migrations SET lib = $3, name = $4 WHERE lib = $1 AND name = $2', [
    from.lib,
    from.name,
    to.lib,
    to.name,
  ]);
}

async function apply(client: pg.Client, { lib, name, sql, checksum, worksWith }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      'INSERT INTO schema_migrations (lib, name, checksum, works_with) VALUES ($1, $2, $3, $4)',
      [lib, name, checksum, worksWith],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${lib}/${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
