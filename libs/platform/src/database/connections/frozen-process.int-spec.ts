import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '@tieline/testing';
import { openDb } from '../db.js';
import { runInWorkerTx } from '../run-in-tx.js';

const LOCK = 'SELECT pg_advisory_xact_lock(4711)';

test('locks of a process that froze in a transaction are released within 8 seconds', async () => {
  const database = await createTestDatabase();
  const [frozen, standby] = [
    await openDb({ databaseUrl: database.url }),
    await openDb({ databaseUrl: database.url }),
  ];
  try {
    const thawed = new AbortController();
    const held = runInWorkerTx(frozen, async (tx) => {
      await tx.query(LOCK);
      locked();
      await sleep(60_000, undefined, { signal: thawed.signal }).catch(() => undefined);
      await tx.query('SELECT 1');
    });
    const refused = expect(held).rejects.toThrow();
    await isLocked;
    const begun = Date.now();
    await runInWorkerTx(standby, (tx) => tx.query(LOCK));
    expect(Date.now() - begun).toBeLessThan(8_000);
    thawed.abort();
    await refused;
  } finally {
    await Promise.all([frozen.close(), standby.close()]);
    await database.drop();
  }
});

let locked: () => void;
const isLocked = new Promise<void>((resolve) => (locked = resolve));
