import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { DmPositions } from './dm-positions.js';

describe('positions in DM inboxes', () => {
  let database: TestDatabase;
  let db: Db;
  const spaceId = uuidv7();

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await openDb({ databaseUrl: database.url });
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });

  const unexpected = (): void => {
    throw new Error('a position could not be written');
  };
  const positionOf = async (botId: string): Promise<number | undefined> =>
    (
      await readRows<{ position: number }>(db, 'SELECT position FROM dm_inbox_positions WHERE bot_id = $1', [
        botId,
      ])
    )[0]?.position;

  test('never decrease, whichever process is behind', async () => {
    const owner = { spaceId, botId: uuidv7() };
    const [ahead, behind] = [new DmPositions(db, unexpected), new DmPositions(db, unexpected)];
    ahead.reached(owner, 7);
    await ahead.close();
    behind.reached(owner, 5);
    behind.reached(owner, 4);
    expect(behind.pendingOf(owner.botId)).toBe(5);
    await behind.close();
    expect(await positionOf(owner.botId)).toBe(7);
  });

  test('of thousands of bots in several concurrent processes are all written', async () => {
    const bots = Array.from({ length: 2500 }, () => uuidv7());
    const processes = [
      new DmPositions(db, unexpected),
      new DmPositions(db, unexpected),
      new DmPositions(db, unexpected),
    ];
    for (const [n, positions] of processes.entries()) {
      for (const botId of n % 2 === 0 ? bots : [...bots].reverse())
        positions.reached({ spaceId, botId }, n + 1);
    }
    await Promise.all(processes.map((positions) => positions.close()));
    const rows = await db.query('SELECT 1 FROM dm_inbox_positions WHERE bot_id = ANY($1) AND position = 3', [
      bots,
    ]);
    expect(rows).toHaveLength(2500);
  });

  test('unwritten positions are known in the process and written later', async () => {
    const owner = { spaceId, botId: uuidv7() };
    let failures = 0;
    const positions = new DmPositions(db, () => (failures += 1));
    await db.query('ALTER TABLE dm_inbox_positions RENAME TO positions_away');
    positions.reached(owner, 3);
    expect(positions.pendingOf(owner.botId)).toBe(3);
    await positions.close();
    expect(failures).toBeGreaterThan(0);
    expect(positions.pendingOf(owner.botId)).toBe(3);
    await db.query('ALTER TABLE positions_away RENAME TO dm_inbox_positions');
    await positions.close();
    expect(await positionOf(owner.botId)).toBe(3);
    expect(positions.pendingOf(owner.botId)).toBe(0);
  });
});
