import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { ADVISORY_LOCKS } from '@tieline/background';
import { discoverMigrations, runMigrations } from '@tieline/platform/database';
import type { Migration } from '@tieline/platform/database';

/** A migrated, empty database for one test file. */
export interface TestDatabase {
  url: string;
  name: string;
  /** Closes all connections to it and deletes it. */
  drop(): Promise<void>;
}

/** Advisory lock: one process at a time creates the template. */
const TEMPLATE_LOCK = ADVISORY_LOCKS.testTemplate;
const TEMPLATE_PREFIX = 'tieline_template_';
const UNDEFINED_DATABASE = '3D000';
const INSUFFICIENT_PRIVILEGE = '42501';
const DROPPED_WITHIN_MS = 30_000;
/** From PostgreSQL 18 on; on a disk it takes less than half of the processor time. */
const COPY_IN_KERNEL = `SELECT set_config(name, 'clone', false) FROM pg_settings
  WHERE name = 'file_copy_method' AND 'clone' = ANY(enumvals)`;

/**
 * Creates a database with all migrations, as a clone of a template that is migrated once per set of
 * migrations. Call it in `beforeAll` and `drop()` in `afterAll`. The server is `DATABASE_URL`,
 * which the Jest setup provides by default. Its user must be allowed to create databases.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env.DATABASE_URL;
  if (!serverUrl) throw new Error('DATABASE_URL is unset: run the tests through jest.preset.js');
  const migrations = await discoverMigrations();
  const name = `tieline_test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await clone(serverUrl, migrations, name).catch((error: { code?: string }) => {
    // Retries once, because a test run with other migrations may drop the template between creation
    // and cloning.
    if (error.code !== UNDEFINED_DATABASE) throw error;
    return clone(serverUrl, migrations, name);
  });
  return {
    url: databaseUrl(serverUrl, name),
    name,
    drop: () => onServer(serverUrl, (client) => dropDatabase(client, name)),
  };
}

async function clone(serverUrl: string, migrations: Migration[], name: string): Promise<void> {
  await onServer(serverUrl, async (client) => {
    const template = await ensureTemplate(client, serverUrl, migrations);
    await client.query(COPY_IN_KERNEL);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  });
}

async function ensureTemplate(
  client: pg.Client,
  serverUrl: string,
  migrations: Migration[],
): Promise<string> {
  const template = TEMPLATE_PREFIX + fingerprint(migrations);
  await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  try {
    const present = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (present.rows.length === 0) await createTemplate(client, serverUrl, migrations, template);
  } finally {
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  }
  return template;
}

/**
 * Creates the template. The caller holds the template lock. The final name is set last, so that a
 * half-migrated template is never cloned.
 */
async function createTemplate(
  client: pg.Client,
  serverUrl: string,
  migrations: Migration[],
  template: string,
): Promise<void> {
  const old = await client.query<{ datname: string }>(
    'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
    [TEMPLATE_PREFIX],
  );
  for (const { datname } of old.rows) await dropDatabase(client, datname);
  const unfinished = `${template}_new`;
  await client.query(`CREATE DATABASE ${unfinished}`);
  const url = databaseUrl(serverUrl, unfinished);
  await runMigrations(url, migrations);
  // The program would create BullMQ's schema at each start, which takes 0.1 s of processor time.
  await onServer(url, async (queue) => void (await (await import('bullmq')).runMigrations(queue)));
  await client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`);
}

/**
 * Drops the database. Retries while an autovacuum worker is active in it, which only a superuser
 * can end.
 */
async function dropDatabase(client: pg.Client, name: string): Promise<void> {
  const deadline = performance.now() + DROPPED_WITHIN_MS;
  for (;;) {
    try {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      const isBusy = (error as { code?: string }).code === INSUFFICIENT_PRIVILEGE;
      if (!isBusy || performance.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

function fingerprint(migrations: Migration[]): string {
  const hash = createHash('sha256');
  for (const { lib, name, checksum } of migrations) hash.update(`${lib}/${name} ${checksum}\n`);
  return hash.digest('hex').slice(0, 16);
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function onServer<T>(serverUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl, application_name: 'tieline-tests' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
