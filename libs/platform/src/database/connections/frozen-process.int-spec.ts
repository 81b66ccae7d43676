import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tieline/testing';
import { openDb } from '../db.js';
import { runInWorkerTx } from '../run-in-tx.js';
import { statement } from '../statement.js';

const LOCK = 'SELECT pg_advisory_xact_lock(4711)';
const LIMIT = statement(
  'limit.read',
  "SELECT setting::int AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'",
  { ms: 'int4' },
);

test('the server releases the locks of a process that froze in a transaction', async () => {
  const database = await createTestDatabase();
  const [frozen, standby] = [
    await openDb({ databaseUrl: database.url }),
    await openDb({ databaseUrl: database.url }),
  ];
  try {
    const thawed = new AbortController();
    const held = runInWorkerTx(frozen, async (tx) => {
      const [limit] = await tx.query(LIMIT);
      expect(limit!.ms).toBeLessThan(8_000);
      await tx.query(LOCK);
      locked();
      await sleep(120_000, undefined, { signal: thawed.signal }).catch(() => undefined);
      await tx.query('SELECT 1');
    });
    const refused = expect(held).rejects.toThrow();
    await isLocked;
    const begun = performance.now();
    await runInWorkerTx(standby, (tx) => tx.query(LOCK));
    expect(performance.now() - begun).toBeLessThan(60_000);
    thawed.abort();
    await refused;
  } finally {
    await Promise.all([frozen.close(), standby.close()]);
    await database.drop();
  }
});

let locked: () => void;
const isLocked = new Promise<void>((resolve) => (locked = resolve));
