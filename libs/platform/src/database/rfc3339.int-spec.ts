import { createTestDatabase } from '@tieline/testing';
import { openDb } from './db.js';
import { rfc3339 } from './rfc3339.js';

test('formats RFC 3339 in UTC with nine fractional digits in any time zone, and keeps null', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url, poolMax: 1 });
  try {
    await db.query("SET TIME ZONE 'Asia/Tokyo'");
    const rows = await db.query(
      `SELECT ${rfc3339('at')} AS text FROM (VALUES ('2026-02-28T23:59:59.123456+00'::timestamptz), (NULL)) t (at)`,
    );
    expect(rows).toEqual([{ text: '2026-02-28T23:59:59.123456000Z' }, { text: null }]);
  } finally {
    await db.close();
    await database.drop();
  }
});
