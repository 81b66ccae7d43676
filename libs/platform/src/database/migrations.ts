import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

/** One SQL file of one lib: `libs/<lib>/src/migrations/NNNN-name.sql`. */
export interface Migration {
  lib: string;
  name: string;
  sql: string;
  /** SHA-256 of the file, hex. A file that has been applied must never change. */
  checksum: string;
}

/** Thrown when the database and the program disagree about what has been applied. The start is refused. */
export class MigrationDrift extends Error {}

interface Applied {
  lib: string;
  name: string;
  checksum: string;
}

/** Lower layers come first, so that foreign keys find their tables; features that nothing lower refers to follow in the order of their names. */
const LAYERS = [
  'platform',
  'delivery',
  'spaces',
  'conversations',
  'bots',
  'files',
  'execution-tasks',
  'agent-runs',
  'interactive',
  'slash',
];
const LOCK_KEY = 7_130_001;

/** Finds the migrations of every lib, in the order in which they are applied. */
export async function discoverMigrations(libsDir = defaultLibsDir()): Promise<Migration[]> {
  const found: Migration[] = [];
  for (const lib of sortLibs(await readdir(libsDir))) {
    const folder = migrationsFolder(path.join(libsDir, lib));
    if (folder === undefined) continue;
    for (const file of (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()) {
      const sql = await readFile(path.join(folder, file), 'utf8');
      found.push({
        lib,
        name: file.replace(/\.sql$/, ''),
        sql,
        checksum: createHash('sha256').update(sql).digest('hex'),
      });
    }
  }
  return found;
}

/**
 * Applies what is missing, each migration in its own transaction, under an advisory lock: several processes may start
 * at once, one works and the others wait and find nothing to do.
 *
 * @throws MigrationDrift when an applied migration was changed or is unknown to this program
 */
export async function runMigrations(
  databaseUrl: string,
  migrations: Migration[],
  log: (line: string) => void = () => undefined,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'tieline-migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(`CREATE TABLE IF NOT EXISTS schema_migrations (
      lib text NOT NULL, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (lib, name))`);
    for (const migration of pendingOf(migrations, await appliedOf(client))) {
      await apply(client, migration);
      log(`applied ${migration.lib}/${migration.name}`);
    }
  } finally {
    await client.end();
  }
}

/**
 * Checks, without changing anything, that exactly the known migrations are applied. Processes call it at start.
 * @throws MigrationDrift when some are missing, changed or unknown
 */
export async function checkMigrations(
  query: (sql: string) => Promise<Applied[]>,
  migrations: Migration[],
): Promise<void> {
  const applied = await query(`SELECT lib, name, checksum FROM schema_migrations`).catch(
    (error: { code?: string }) => {
      if (error.code === '42P01') return [];
      throw error;
    },
  );
  const pending = pendingOf(migrations, applied);
  if (pending.length > 0) {
    throw new MigrationDrift(
      `the database lacks ${pending.length} migration(s), first ${pending[0]?.lib}/${pending[0]?.name}: run the migrate command`,
    );
  }
}

function pendingOf(migrations: Migration[], applied: Applied[]): Migration[] {
  const known = new Map(migrations.map((migration) => [`${migration.lib}/${migration.name}`, migration]));
  const done = new Set<string>();
  for (const row of applied) {
    const key = `${row.lib}/${row.name}`;
    const migration = known.get(key);
    if (!migration)
      throw new MigrationDrift(
        `the database has migration ${key}, which this program does not know: it is newer than the program`,
      );
    if (migration.checksum !== row.checksum)
      throw new MigrationDrift(`migration ${key} was changed after it had been applied`);
    done.add(key);
  }
  return migrations.filter((migration) => !done.has(`${migration.lib}/${migration.name}`));
}

async function appliedOf(client: pg.Client): Promise<Applied[]> {
  return (await client.query<Applied>('SELECT lib, name, checksum FROM schema_migrations')).rows;
}

async function apply(client: pg.Client, { lib, name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migrations (lib, name, checksum) VALUES ($1, $2, $3)', [
      lib,
      name,
      checksum,
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${lib}/${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

function sortLibs(libs: string[]): string[] {
  const rank = (lib: string): number => (LAYERS.includes(lib) ? LAYERS.indexOf(lib) : LAYERS.length);
  return [...libs].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
}

/** Beside the running code: `src/` from the sources, `dist/` in a build. */
function migrationsFolder(lib: string): string | undefined {
  const folder = path.join(lib, path.basename(path.resolve(import.meta.dirname, '..')), 'migrations');
  return existsSync(folder) ? folder : undefined;
}

function defaultLibsDir(): string {
  return path.resolve(import.meta.dirname, '../../..');
}
