import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { DeliverySettings } from '@tieline/delivery';
import { DatabaseModule } from '@tieline/platform/database';
import { HttpModule } from '@tieline/platform/http';
import { SpacesModule } from '@tieline/spaces';
import { NoPlacesModule, seedSpace, startTestApi } from '@tieline/spaces/testing';
import type { SeededSpace, TestApi } from '@tieline/spaces/testing';
import { IncomingWebhookSettings } from '@tieline/webhooks';
import { uuidv7 } from 'uuidv7';
import { FailuresAdminController } from './failures.admin-controller.js';

@Module({
  imports: [DatabaseModule, HttpModule],
  controllers: [FailuresAdminController],
  providers: [DeliverySettings, IncomingWebhookSettings],
})
class FailuresTestModule {}

let api: TestApi;
let space: SeededSpace;

beforeAll(async () => {
  api = await startTestApi([SpacesModule, NoPlacesModule, FailuresTestModule], {
    DELIVERY_AUTO_DISABLE_THRESHOLD: '20',
    INCOMING_AUTO_DISABLE_THRESHOLD: '30',
  });
});
beforeEach(async () => {
  space = await seedSpace(api.db);
});
afterAll(() => api.close());

/** Inserts rows in the state libs leave them after a failure. */
const insert = async (table: string, row: Record<string, unknown>): Promise<void> => {
  const columns = Object.keys(row);
  await api.db.query(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  );
};
const own = (name: string, more: object = {}) => ({ space_id: space.spaceId, id: uuidv7(), name, ...more });

async function outgoing(name: string, more: object = {}): Promise<string> {
  const row = own(name, {
    ...{ url: 'https://receiver.test/', event_types: '{MESSAGE_CREATED}', channel_ids: '{}', trigger: 'all' },
    ...{ trigger_config: '{}', include_context: false, context_size: 10, status: 'active', ...more },
  });
  await insert('outgoing_webhooks', row);
  return row.id;
}

async function incoming(name: string, more: object = {}): Promise<string> {
  const row = own(name, {
    ...{ conversation_id: uuidv7(), require_signature: false, default_push: true, avatar_url: '' },
    ...{ is_active: true, token_hash: randomBytes(32), ...more },
  });
  await insert('incoming_webhooks', row);
  return row.id;
}

async function bot(name: string, more: object = {}): Promise<string> {
  const { name: display_name, ...row } = own(name, {
    ...{
      webhook_secret: randomBytes(8),
      token_hash: randomBytes(32),
      webhook_url: 'https://bot.test/',
      ...more,
    },
  });
  await insert('bots', { ...row, display_name });
  return row.id;
}

/** Inserts a breaker of the space, open until this time. */
const breaker = (target_id: string, failures: number, open_until: string, kind = 'outgoing') =>
  insert('delivery_targets', { target_id, space_id: space.spaceId, kind, failures, open_until });
const callbacks = (bot_id: string, in_a_row: number) =>
  insert('bot_callback_failures', { space_id: space.spaceId, bot_id, in_a_row });

const ask = (token?: string) =>
  api.call('GET', '/api/v1/admin/failures', token === undefined ? {} : { token });
async function failures(token = space.owner.token) {
  const { status, body } = await ask(token);
  expect(status).toBe(200);
  return body.failures as { name: string; kind: string; object_type: string }[];
}
const told = async (token?: string) =>
  (await failures(token)).map(({ object_type, kind, name }) => `${object_type} ${kind} ${name}`);

const LATER = '2999-01-01T00:00:00.000Z';
const BEFORE = '2000-01-01T00:00:00.000Z';

test('without failures the list is empty', async () => {
  await outgoing('Works');
  await incoming('Works too');
  await bot('And this', { event_delivery_mode: 'webhook' });
  expect((await ask(space.owner.token)).body).toEqual({ ok: true, failures: [] });
});

test('lists each kind of failure of each object', async () => {
  const [pager, crm, off] = [
    await outgoing('Pager'),
    await outgoing('CRM'),
    await outgoing('Old log', { status: 'inactive', consecutive_dead: 20 }),
  ];
  const alarms = await incoming('Alarms', { is_active: false, consecutive_failures: 30 });
  const [listener, silent, given] = [
    await bot('Listener', { event_delivery_mode: 'webhook' }),
    await bot('Silent'),
    await bot('Given up', { push_failures: 21 }),
  ];
  await breaker(pager, 12, LATER);
  await breaker(crm, 11, BEFORE);
  await breaker(listener, 10, LATER, 'push');
  await callbacks(silent, 10);
  expect(await failures()).toEqual([
    {
      ...{ object_type: 'outgoing_webhook', object_id: pager, name: 'Pager', kind: 'paused' },
      ...{ consecutive_failures: 12, open_until: LATER },
    },
    // Expired: the next delivery is tried, and there is no time to wait for.
    {
      ...{ object_type: 'outgoing_webhook', object_id: crm, name: 'CRM', kind: 'paused' },
      consecutive_failures: 11,
    },
    {
      ...{ object_type: 'outgoing_webhook', object_id: off, name: 'Old log', kind: 'switched_off' },
      consecutive_failures: 20,
    },
    {
      ...{ object_type: 'incoming_webhook', object_id: alarms, name: 'Alarms', kind: 'switched_off' },
      consecutive_failures: 30,
    },
    {
      ...{ object_type: 'bot', object_id: listener, name: 'Listener', kind: 'paused' },
      ...{ consecutive_failures: 10, open_until: LATER },
    },
    {
      ...{ object_type: 'bot', object_id: given, name: 'Given up', kind: 'switched_off' },
      consecutive_failures: 21,
    },
    {
      ...{ object_type: 'bot', object_id: silent, name: 'Silent', kind: 'callbacks' },
      consecutive_failures: 10,
    },
  ]);
});

test('ignores manual deactivation, deleted objects and rare failures', async () => {
  const deleted = { deleted_at: BEFORE };
  await outgoing('Disabled by hand', { status: 'inactive', consecutive_dead: 19 });
  await breaker(await outgoing('Off, and paused before', { status: 'inactive' }), 12, LATER);
  await breaker(await outgoing('Deleted', deleted), 12, LATER);
  await outgoing('Deleted and off', { ...deleted, status: 'inactive', consecutive_dead: 99 });
  await incoming('Resting', { is_active: false, consecutive_failures: 29 });
  await incoming('Failing, still on', { consecutive_failures: 29 });
  await incoming('Gone', { ...deleted, is_active: false, consecutive_failures: 99 });
  await breaker(await bot('Polls by now', { event_delivery_mode: 'poll' }), 12, LATER, 'push');
  await bot('Retired', { is_active: false, push_failures: 99 });
  await callbacks(await bot('Late at times'), 9);
  await callbacks(await bot('Buried', deleted), 99);
  await callbacks(await bot('Put away', { is_active: false }), 99);
  expect(await told()).toEqual([]);
});

test('lists the worst of each kind first, and fifty at most', async () => {
  for (const n of Array.from({ length: 51 }, (_, at) => at)) {
    // The worst were created neither first nor last.
    const failed = 100 + ((n * 7) % 51);
    await breaker(await outgoing(`${failed}`), failed, LATER);
    await outgoing(`${failed}`, { status: 'inactive', consecutive_dead: failed });
    await incoming(`${failed}`, { is_active: false, consecutive_failures: failed });
    await breaker(await bot(`${failed}`, { event_delivery_mode: 'webhook' }), failed, LATER, 'push');
    await bot(`${failed}`, { push_failures: failed });
    await callbacks(await bot(`${failed}`), failed);
  }
  const worst = Array.from({ length: 50 }, (_, at) => `${150 - at}`);
  expect(await told()).toEqual(
    [
      'outgoing_webhook paused',
      'outgoing_webhook switched_off',
      'incoming_webhook switched_off',
      'bot paused',
      'bot switched_off',
      'bot callbacks',
    ].flatMap((kind) => worst.map((name) => `${kind} ${name}`)),
  );
});

test('a space sees only its own', async () => {
  const elsewhere = space;
  await breaker(await outgoing('Theirs'), 12, LATER);
  await outgoing('Theirs, off', { status: 'inactive', consecutive_dead: 99 });
  await incoming('Theirs', { is_active: false, consecutive_failures: 99 });
  const theirs = await bot('Theirs', { event_delivery_mode: 'webhook', push_failures: 99 });
  await breaker(theirs, 12, LATER, 'push');
  await callbacks(theirs, 99);
  space = await seedSpace(api.db);
  await incoming('Ours', { is_active: false, consecutive_failures: 30 });
  expect(await told()).toEqual(['incoming_webhook switched_off Ours']);
  expect(await told(elsewhere.owner.token)).toHaveLength(5);
});

test('only for admins and owners', async () => {
  expect((await ask((await space.person('admin')).token)).status).toBe(200);
  for (const role of ['member', 'guest'] as const)
    expect(await ask((await space.person(role)).token)).toMatchObject({
      status: 403,
      body: { ok: false, code: 'forbidden' },
    });
  expect((await ask()).status).toBe(401);
});
