import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { checkMigrations, discoverMigrations, openDb, runMigrations, ServerTooOld } from '../index.js';
import { requireServerVersion } from './server-version.js';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

test.each([150_000, 150_018, 180_004, 190_000])('accepts a server of version %i', (number) => {
  expect(() => requireServerVersion({ number, version: '' })).not.toThrow();
});

test('names the required and the actual version', () => {
  const row = { number: 140_023, version: '14.23 (Debian)' };
  expect(() => requireServerVersion(row)).toThrow(
    new ServerTooOld('Tieline needs PostgreSQL 15 or newer; this server is 14.23 (Debian)'),
  );
});

test('migrations and start are refused on an older server before any change', async () => {
  const db = await openDb({ databaseUrl: database.url, poolMax: 2 });
  await db.query('CREATE SCHEMA old');
  await db.query(`CREATE FUNCTION old.current_setting(name text) RETURNS text LANGUAGE sql
    RETURN CASE name WHEN 'server_version_num' THEN '130000' ELSE '13.0' END`);
  await db.query(`ALTER DATABASE ${database.name} SET search_path = old, pg_catalog, public`);
  await db.query('DROP TABLE schema_migrations');
  await db.close();

  const migrations = await discoverMigrations();
  const refusal = new ServerTooOld('Tieline needs PostgreSQL 15 or newer; this server is 13.0');
  await expect(runMigrations(database.url, migrations)).rejects.toThrow(refusal);
  const old = await openDb({ databaseUrl: database.url, poolMax: 2 });
  try {
    await expect(checkMigrations(old, migrations)).rejects.toThrow(refusal);
    expect(await old.query("SELECT to_regclass('public.schema_migrations') AS made")).toEqual([
      { made: null },
    ]);
  } finally {
    await old.close();
  }
});
