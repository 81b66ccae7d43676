import { openDb, runInWorkerTx } from '@tieline/platform/database';
import { createTestDatabase } from '@tieline/testing';

const SPACE = '00000000-0000-7000-8000-000000000001';
const MESSAGES = 200;

test('the last message until any moment is found, in conversations of any length', async () => {
  const database = await createTestDatabase();
  const db = await openDb({ databaseUrl: database.url });
  try {
    // One conversation for each length, with a message every other second.
    await db.query(`INSERT INTO spaces (id, name) VALUES ('${SPACE}', 'Space')`);
    await db.query(`INSERT INTO conversations (space_id, id, type, scope, created_by, last_msg_index)
      SELECT '${SPACE}', lpad(n::text, 32, '0')::uuid, 'channel', 'public', '${SPACE}', n FROM generate_series(0, ${MESSAGES}) n`);
    await db.query(`INSERT INTO messages (space_id, id, conversation_id, msg_index, author_id, author_type, text, sent_at)
      SELECT '${SPACE}', gen_random_uuid(), lpad(n::text, 32, '0')::uuid, i, '${SPACE}', 'user', '', to_timestamp(2 * i) FROM generate_series(0, ${MESSAGES}) n, generate_series(1, n) i`);
    const wrong = await runInWorkerTx(db, async (tx) => {
      // Tens of thousands of lookups: they use the index, whatever other plans are forced.
      await tx.query('SET LOCAL enable_indexscan = on');
      return tx.query(
        `SELECT n, moment FROM generate_series(0, ${MESSAGES}) n, generate_series(0, 2 * n + 3) moment
          WHERE last_msg_index_until('${SPACE}', lpad(n::text, 32, '0')::uuid, to_timestamp(moment)) IS DISTINCT FROM least(n, moment / 2)`,
      );
    });
    expect(wrong).toEqual([]);
  } finally {
    await db.close();
    await database.drop();
  }
});
