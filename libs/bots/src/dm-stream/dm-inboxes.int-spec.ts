import { Environment } from '@tieline/platform/config';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { uuidv7 } from 'uuidv7';
import { DmInboxSettings } from '../bots.settings.js';
import { DmInboxesProcessor } from './dm-inboxes.processor.js';
import { writeDmInbox } from './write-dm-inbox.js';

describe('DM inboxes', () => {
  let database: TestDatabase;
  let db: Db;
  let processor: DmInboxesProcessor;
  let botId: string;
  const spaceId = uuidv7();

  beforeAll(async () => {
    database = await createTestDatabase();
    db = await openDb({ databaseUrl: database.url });
    const environment = new Environment({ DM_INBOX_LIMIT: '3', DM_INBOX_TTL_HOURS: '24' });
    processor = new DmInboxesProcessor(db, new DmInboxSettings(environment));
  });
  afterAll(async () => {
    await db?.close();
    await database?.drop();
  });
  beforeEach(() => {
    botId = uuidv7();
  });

  /**
   * Writes a message of the given age.
   * @returns its position
   */
  async function write(secondsAgo: number, bot = botId): Promise<number> {
    await runInWorkerTx(db, (tx) =>
      writeDmInbox(tx, [
        { spaceId, botId: bot, conversationId: uuidv7(), messageId: uuidv7(), eventId: uuidv7() },
      ]),
    );
    const [row] = await readRows<{ position: number }>(
      db,
      `UPDATE dm_inbox SET created_at = now() - $2 * interval '1 second' WHERE position = (SELECT max(position) FROM dm_inbox WHERE bot_id = $1) RETURNING position`,
      [bot, secondsAgo],
    );
    return row?.position as number;
  }
  const kept = async (bot = botId): Promise<number[]> =>
    (
      await readRows<{ position: number }>(
        db,
        'SELECT position FROM dm_inbox WHERE bot_id = $1 ORDER BY position',
        [bot],
      )
    ).map(({ position }) => position);

  test('entries of one write get positions in order', async () => {
    const entries = Array.from({ length: 200 }, () => ({
      spaceId,
      botId,
      conversationId: uuidv7(),
      messageId: uuidv7(),
      eventId: uuidv7(),
    }));
    await runInWorkerTx(db, (tx) => writeDmInbox(tx, entries));
    const rows = await db.query(
      'SELECT space_id AS "spaceId", bot_id AS "botId", conversation_id AS "conversationId", message_id AS "messageId", event_id AS "eventId" FROM dm_inbox WHERE bot_id = $1 ORDER BY position',
      [botId],
    );
    expect(rows).toEqual(entries);
  });

  test('entries older than DM_INBOX_TTL_HOURS are removed', async () => {
    await write(86_410);
    const young = await write(86_300);
    await processor.tidy();
    expect(await kept()).toEqual([young]);
  });

  test('the latest DM_INBOX_LIMIT waiting entries are kept', async () => {
    const all = [await write(100), await write(90), await write(80), await write(70), await write(65)];
    await processor.tidy();
    expect(await kept()).toEqual(all.slice(2));
  });

  test('entries of the last minute are kept, because a stream may be about to read them', async () => {
    const all = [await write(50), await write(40), await write(30), await write(20), await write(10)];
    await db.query('INSERT INTO dm_inbox_positions VALUES ($1, $2, $3)', [spaceId, botId, all[4]]);
    await processor.tidy();
    expect(await kept()).toEqual(all);
  });

  test('received entries are removed', async () => {
    const [first, second] = [await write(100), await write(90)];
    await db.query('INSERT INTO dm_inbox_positions VALUES ($1, $2, $3)', [spaceId, botId, first]);
    await processor.tidy();
    expect(await kept()).toEqual([second]);
  });

  test('the excess of one bot does not affect others', async () => {
    const other = uuidv7();
    const theirs = [await write(100, other), await write(90, other)];
    for (let n = 0; n < 6; n += 1) await write(80);
    await processor.tidy();
    expect(await kept()).toHaveLength(3);
    expect(await kept(other)).toEqual(theirs);
  });

  test('more than one batch of expired messages is removed at a time', async () => {
    const entries = Array.from({ length: 6000 }, () => ({
      spaceId,
      botId,
      conversationId: spaceId,
      messageId: spaceId,
      eventId: spaceId,
    }));
    await runInWorkerTx(db, (tx) => writeDmInbox(tx, entries));
    await db.query(`UPDATE dm_inbox SET created_at = now() - interval '2 days' WHERE bot_id = $1`, [botId]);
    await processor.tidy();
    expect(await kept()).toEqual([]);
  });
});
