import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { PublicEvents } from '@tieline/conversations';
import type { ChatEvent } from '@tieline/conversations';
import { openDb, runInWorkerTx } from '@tieline/platform/database';
import type { Db } from '@tieline/platform/database';
import { appendOutbox, OutboxRelay, RelayLeadership } from '@tieline/delivery';
import type { OutboxRecord } from '@tieline/delivery';
import { SecretBox } from '@tieline/signing';
import { createTestDatabase, readRows } from '@tieline/testing';
import type { TestDatabase } from '@tieline/testing';
import { seedSpace } from '@tieline/spaces/testing';
import { OutgoingDeliveries } from '../deliveries/outgoing-kind.js';
import { OutgoingPlanner } from './outgoing-planner.js';
import { OUTGOING_SECRET } from '../subscriptions/outgoing-secret.js';
import { OUTGOING_WEBHOOK_CHANGED } from './subscription-config.js';
import type { SubscriptionConfig } from './subscription-config.js';
import { chatEvent } from '../testing/chat-events.js';

const box = new SecretBox(Buffer.alloc(32, 7));
let database: TestDatabase;
let db: Db;
let spaceId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await openDb({ databaseUrl: database.url });
  spaceId = (await seedSpace(db)).spaceId;
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

// The test expects the log entry about an unreadable secret.
Logger.overrideLogger(false);

const newPlanner = ({ memberEvents = false } = {}): OutgoingPlanner =>
  new OutgoingPlanner(
    box,
    new PublicEvents(memberEvents),
    async (requests) => requests.map(() => []),
    () => undefined,
  );
const config = (id: string, changes: Partial<SubscriptionConfig> = {}): SubscriptionConfig => ({
  id,
  eventTypes: ['MESSAGE_CREATED'],
  channelIds: [],
  trigger: 'all',
  triggerConfig: {},
  includeContext: false,
  contextSize: 10,
  ...changes,
});

async function insertSubscription(sealedBy = box, space = spaceId): Promise<string> {
  const id = uuidv7();
  await db.query(
    `INSERT INTO outgoing_webhooks (space_id, id, name, url, event_types, channel_ids, trigger, trigger_config, include_context, context_size, status, signing_secret)
     VALUES ($1, $2, 'n', 'https://r.example', '{MESSAGE_CREATED}', '{}', 'all', '{}', false, 10, 'active', $3)`,
    [space, id, OUTGOING_SECRET.seal(sealedBy, id, 'whsec_VGllbGluZSB0ZXN0IHZlY3RvciwgbmV2ZXIgdXNlISE=')],
  );
  return id;
}

let position = 0;
const record = (type: string, payload: unknown): OutboxRecord => ({
  id: (position += 1),
  eventId: uuidv7(),
  spaceId,
  type,
  payload,
});
const changed = (id: string, value: SubscriptionConfig | null): OutboxRecord =>
  record(OUTGOING_WEBHOOK_CHANGED, { id, config: value });
const posted = (text = 'hello'): OutboxRecord =>
  record('MESSAGE_CREATED', { ...chatEvent({ text }), event_id: uuidv7(), space_id: spaceId } as ChatEvent);
const deliveriesTo = async (id: string) =>
  (await db.query('SELECT 1 FROM deliveries WHERE target_id = $1', [id])).length;

async function plan(planner: OutgoingPlanner, records: OutboxRecord[]): Promise<void> {
  await runInWorkerTx(db, (tx) => planner.plan(tx, records));
  planner.committed();
}

describe('the planner', () => {
  test('200 messages to 300 subscriptions exceed the budget of a transaction before anything is written; one does not', async () => {
    const planner = newPlanner();
    const ids = await Promise.all(Array.from({ length: 300 }, () => insertSubscription()));
    await plan(
      planner,
      ids.map((id) => changed(id, config(id))),
    );
    const messages = Array.from({ length: 200 }, () => posted());
    const refused = await plan(planner, messages).catch(
      (error: unknown) => error as { rows: Map<string, number> },
    );
    planner.rolledBack();
    expect([...(refused?.rows.values() ?? [])]).toEqual(messages.map(() => 300));
    expect(await deliveriesTo(ids[0] ?? '')).toBe(0);
    await plan(planner, messages.slice(0, 1));
    expect(await deliveriesTo(ids[0] ?? '')).toBe(1);
    await plan(
      planner,
      ids.map((id) => changed(id, null)),
    );
  });

  test('an event with 1,200 deliveries is planned in two parts: each subscription gets one, and lines keep the order of events', async () => {
    const own = (await seedSpace(db)).spaceId;
    const ids = await Promise.all(Array.from({ length: 1200 }, () => insertSubscription(box, own)));
    const relay = new OutboxRelay(db, new RelayLeadership(database.url));
    relay.subscribe(newPlanner());
    const changes = ids.map((id) => ({
      ...{ eventId: uuidv7(), spaceId: own, type: OUTGOING_WEBHOOK_CHANGED },
      payload: { id, config: config(id, { ordered: true }) },
    }));
    const messages = ['first', 'second'].map((text) => {
      const payload = { ...chatEvent({ text }), event_id: uuidv7(), space_id: own };
      return { eventId: payload.event_id, spaceId: own, type: 'MESSAGE_CREATED', payload };
    });
    await runInWorkerTx(db, (tx) => appendOutbox(tx, ...changes, ...messages));
    while ((await relay.relayBatch()) > 0);
    const lines = await readRows<{ events: string[]; due: boolean[] }>(
      db,
      `SELECT array_agg(d.event_id ORDER BY q.order_position) AS events, array_agg(q.due_at < 'infinity' ORDER BY q.order_position) AS due
       FROM delivery_queue q JOIN deliveries d USING (id) WHERE q.space_id = $1 GROUP BY q.target_id`,
      [own],
    );
    const line = { events: messages.map(({ eventId }) => eventId), due: [true, false] };
    expect(lines).toEqual(ids.map(() => line));
    const [stored] = await readRows<{ bodies: number }>(
      db,
      'SELECT count(*)::int AS bodies FROM delivery_payloads WHERE space_id = $1',
      [own],
    );
    expect(stored?.bodies).toBe(4);
  });

  test('discards the changes of a batch when its transaction is rolled back', async () => {
    const planner = newPlanner();
    const id = await insertSubscription();
    // The space is already in memory, so no later read could repair it.
    await plan(planner, [posted()]);
    const rollback = runInWorkerTx(db, async (tx) => {
      await planner.plan(tx, [changed(id, config(id))]);
      throw new Error('power cut');
    });
    await expect(rollback).rejects.toThrow('power cut');
    await plan(planner, [posted()]);
    expect(await deliveriesTo(id)).toBe(0);
    await plan(planner, [changed(id, config(id)), posted()]);
    expect(await deliveriesTo(id)).toBe(1);
  });

  test('a batch without subscriptions does not restore the changes of a rolled back one', async () => {
    const planner = newPlanner();
    const id = await insertSubscription();
    await plan(planner, [posted()]);
    const rollback = runInWorkerTx(db, async (tx) => {
      await planner.plan(tx, [changed(id, config(id))]);
      throw new Error('a poisoned event');
    });
    await expect(rollback).rejects.toThrow('a poisoned event');
    planner.rolledBack();
    await plan(planner, [record('bot.changed', {})]);
    await plan(planner, [posted()]);
    expect(await deliveriesTo(id)).toBe(0);
  });

  test('reads its table at start and after a reset, and keeps it up to date', async () => {
    const id = await insertSubscription();
    await plan(newPlanner(), [changed(id, config(id))]);
    const second = newPlanner();
    await plan(second, [posted()]);
    expect(await deliveriesTo(id)).toBe(1);
    await plan(newPlanner(), [changed(id, null)]);
    second.reset();
    await plan(second, [posted()]);
    expect(await deliveriesTo(id)).toBe(1);
    expect(await db.query('SELECT 1 FROM outgoing_webhook_plans WHERE id = $1', [id])).toEqual([]);
  });

  test('writes nothing for a batch without chat events', async () => {
    const assigned = await runInWorkerTx(db, async (tx) => {
      await newPlanner().plan(tx, [record('bot.changed', {}), record('conversation.members_changed', {})]);
      return tx.query('SELECT pg_current_xact_id_if_assigned() AS id');
    });
    expect(assigned).toEqual([{ id: null }]);
  });

  test('plans member events only if they are enabled', async () => {
    const id = await insertSubscription();
    const wanting = config(id, { eventTypes: ['MEMBER_JOINED', 'MEMBER_LEFT'] });
    const members = (event_type: string): OutboxRecord =>
      record('conversation.members_changed', {
        event: { ...chatEvent({}), event_type, event_id: uuidv7(), space_id: spaceId },
      });
    const direct = record('conversation.members_changed', {});
    await plan(newPlanner(), [changed(id, wanting), members('MEMBER_JOINED'), members('MEMBER_LEFT')]);
    expect(await deliveriesTo(id)).toBe(0);
    const telling = newPlanner({ memberEvents: true });
    await plan(telling, [changed(id, wanting), members('MEMBER_JOINED'), direct, members('MEMBER_LEFT')]);
    expect(await deliveriesTo(id)).toBe(2);
  });

  test('skips a subscription that is deleted or has an unreadable secret, without affecting others', async () => {
    const planner = newPlanner();
    const [good, deleted, sealed] = [
      await insertSubscription(),
      await insertSubscription(),
      await insertSubscription(new SecretBox(Buffer.alloc(32, 8))),
    ];
    await db.query('UPDATE outgoing_webhooks SET deleted_at = now(), signing_secret = NULL WHERE id = $1', [
      deleted,
    ]);
    await plan(planner, [...[good, deleted, sealed].map((id) => changed(id, config(id))), posted()]);
    expect(await Promise.all([good, deleted, sealed].map(deliveriesTo))).toEqual([1, 0, 0]);
  });

  test('stores the body of an event once for all subscriptions with the same payload settings', async () => {
    const own = (await seedSpace(db)).spaceId;
    const ids = await Promise.all([1, 2, 3].map(() => insertSubscription(box, own)));
    const contexts = [{}, { includeContext: true }, {}];
    const records = [...ids.map((id, n) => changed(id, config(id, contexts[n]))), posted()].map((one) => ({
      ...one,
      spaceId: own,
      payload: { ...(one.payload as object), space_id: own },
    }));
    await plan(newPlanner(), records as OutboxRecord[]);
    const [counts] = await db.query(
      'SELECT count(*) AS deliveries, count(DISTINCT payload_id) AS payloads FROM deliveries WHERE space_id = $1',
      [own],
    );
    expect(counts).toEqual({ deliveries: 3, payloads: 2 });
  });
});

describe('targets', () => {
  const kind = new OutgoingDeliveries(box, 100, { free: 5, pro: 20, enterprise: 100 });

  test.each([
    ['free', 5],
    ['pro', 20],
    ['enterprise', 100],
  ] as const)('of a %s space get %i deliveries per second', async (plan, ratePerSecond) => {
    const own = (await seedSpace(db, { plan })).spaceId;
    const id = await insertSubscription(box, own);
    expect((await kind.loadTargets(db, [id])).get(id)).toMatchObject({
      active: true,
      url: 'https://r.example',
      ratePerSecond,
    });
  });

  test('are missing when deleted, unknown or unreadable, and inactive when disabled', async () => {
    const [off, deleted, sealed] = [
      await insertSubscription(),
      await insertSubscription(),
      await insertSubscription(new SecretBox(Buffer.alloc(32, 8))),
    ];
    await db.query(`UPDATE outgoing_webhooks SET status = 'inactive' WHERE id = $1`, [off]);
    await db.query('UPDATE outgoing_webhooks SET deleted_at = now() WHERE id = $1', [deleted]);
    const targets = await kind.loadTargets(db, [off, deleted, sealed, uuidv7()]);
    expect([...targets].map(([id, { active }]) => [id, active])).toEqual([[off, false]]);
  });
});
