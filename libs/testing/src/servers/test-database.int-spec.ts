import pg from 'pg';
import { discoverMigrations } from '@tieline/platform/database';
import { createTestDatabase } from './test-database.js';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

describe('createTestDatabase', () => {
  it('gives every caller a separate migrated database', async () => {
    const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      await query(first.url, 'CREATE TABLE only_here (id int)');
      expect(await query(second.url, `SELECT to_regclass('only_here') AS found`)).toEqual([{ found: null }]);
      const applied = await query(second.url, 'SELECT lib, name FROM schema_migrations');
      const known = (await discoverMigrations()).map(({ lib, name }) => ({ lib, name }));
      expect(applied).toHaveLength(known.length);
      expect(applied).toEqual(expect.arrayContaining(known));
    } finally {
      await Promise.all([first.drop(), second.drop()]);
    }
  });

  it('drops the database even with open connections', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on('error', () => undefined);
    await client.connect();
    await database.drop();
    await expect(query(database.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
    await client.end().catch(() => undefined);
  });
});
