import { openDb } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { SecretBox } from '@tieline/signing';
import { createTestDatabase } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { seedSpace } from '@tieline/spaces/testing';
import { uuidv7 } from 'uuidv7';
import { BOT_WEBHOOK_SECRET } from './webhook/webhook-secret.js';
import { PushDeliveries } from './push-kind.js';

const box = new SecretBox(Buffer.alloc(32, 7));
const unreadable: string[] = [];
const kind = new PushDeliveries(box, 100, (botId) => unreadable.push(botId));
let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

/**
 * Inserts a bot in mode `webhook` in its own space.
 * @returns the ids
 */
async function insertBot({ plan = 'free' as 'free' | 'pro' | 'enterprise', sealedBy = box } = {}): Promise<{
  id: string;
  spaceId: string;
}> {
  const { spaceId } = await seedSpace(db, { plan });
  const id = uuidv7();
  await db.query(
    `INSERT INTO bots (space_id, id, display_name, event_delivery_mode, webhook_url, webhook_secret, token_hash)
     VALUES ($1, $2, 'Robot', 'webhook', 'https://bot.example/events', $3, $4)`,
    [
      spaceId,
      id,
      BOT_WEBHOOK_SECRET.seal(sealedBy, id, 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE='),
      Buffer.from(id),
    ],
  );
  return { id, spaceId };
}

test.each(['free', 'pro', 'enterprise'] as const)('pushes of a %s space have no rate limit', async (plan) => {
  const { id } = await insertBot({ plan });
  expect((await kind.loadTargets(db, [id])).get(id)).toEqual({
    active: true,
    url: 'https://bot.example/events',
    secrets: { current: 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=' },
  });
});

test.each([
  ['of an inactive space', 'UPDATE spaces SET is_active = false WHERE id = $2 AND $1::uuid IS NOT NULL'],
  ['that is disabled', 'UPDATE bots SET is_active = false WHERE id = $1 AND space_id = $2'],
  ['in mode poll', `UPDATE bots SET event_delivery_mode = 'poll' WHERE id = $1 AND space_id = $2`],
])('a bot %s is inactive', async (_what, change) => {
  const { id, spaceId } = await insertBot();
  await db.query(change, [id, spaceId]);
  expect((await kind.loadTargets(db, [id])).get(id)).toMatchObject({ active: false });
});

test('leaves out deleted and unknown bots, and reports a bot whose secret cannot be decrypted', async () => {
  const [deleted, sealed] = [
    await insertBot(),
    await insertBot({ sealedBy: new SecretBox(Buffer.alloc(32, 8)) }),
  ];
  await db.query('UPDATE bots SET deleted_at = now() WHERE id = $1', [deleted.id]);
  expect((await kind.loadTargets(db, [deleted.id, sealed.id, uuidv7()])).size).toBe(0);
  expect(unreadable).toEqual([sealed.id]);
});
