import { runInWorkerTx } from '@tieline/platform/database';
import { DeliveryKinds } from '@tieline/delivery';
import type { SettledDelivery } from '@tieline/delivery';
import { describeCounting, settledAs, notifyLongOpenBreakers } from '@tieline/delivery/testing';
import { eventually, readRows } from '@tieline/testing';
import { ExhaustedPushes } from './disable-failing-push.js';
import { EventsHarness } from '../testing/events-harness.js';
import type { PushedBot } from '../testing/events-harness.js';

const THRESHOLD = 3;
let harness: EventsHarness;
let channel: string;

beforeAll(async () => {
  harness = await EventsHarness.start({ DELIVERY_AUTO_DISABLE_THRESHOLD: String(THRESHOLD) });
});
afterAll(() => harness?.close());
beforeEach(async () => {
  channel = await harness.channel();
});

/** Creates a bot limited to this test's channel. */
const pushed = (settings: Record<string, unknown> = {}): Promise<PushedBot> =>
  harness.pushedBot({ channel_ids: [channel], ...settings });
const modeOf = async ({ id }: Pick<PushedBot, 'id'>): Promise<string> =>
  (await harness.admin('GET', `/bots/${id}`)).body.bot.event_delivery_mode;
const noticesOf = async ({ id }: Pick<PushedBot, 'id'>) =>
  (await harness.admin('GET', '/notices?limit=200')).body.notices.filter(
    ({ object_id }: { object_id: string }) => object_id === id,
  );

/** Posts once per status, each delivery settled before the next. */
async function deliver(bot: PushedBot, ...statuses: number[]): Promise<void> {
  for (const status of statuses) {
    bot.receiver.respond(status);
    await harness.post(channel, `gets ${status}`);
    await harness.sent(bot);
  }
}

test('enabling push again closes the breaker, which admins see', async () => {
  const bot = await pushed();
  const breaker = async () => {
    const { bots } = (await harness.admin('GET', '/bots?limit=200')).body;
    expect(bots).toContainEqual((await harness.admin('GET', `/bots/${bot.id}`)).body.bot);
    return bots.find(({ id }: PushedBot) => id === bot.id).breaker;
  };
  await harness.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until)
     VALUES ($1, $2, 'push', 10, now() + interval '1 hour')`,
    [bot.id, harness.space.spaceId],
  );
  expect(await breaker()).toEqual({
    state: 'open',
    open_until: expect.stringMatching(/Z$/),
    consecutive_failures: 10,
  });
  for (const event_delivery_mode of ['none', 'webhook'])
    await harness.admin('PATCH', `/bots/${bot.id}`, { event_delivery_mode });
  expect(await breaker()).toEqual({ state: 'closed', consecutive_failures: 0 });
  await harness.post(channel, 'arrives at once');
  await bot.receiver.waitFor(1);
});

test('a breaker that has been open for 15 minutes raises a notice, unless push is off', async () => {
  const [down, off] = [await pushed({ display_name: 'Down' }), await pushed()];
  await harness.admin('PATCH', `/bots/${off.id}`, { event_delivery_mode: 'none' });
  await harness.api.db.query(
    `INSERT INTO delivery_targets (target_id, space_id, kind, failures, open_until, opened_at)
     SELECT id, $2, 'push', 10, now() + interval '1 hour', now() - interval '16 minutes' FROM unnest($1::uuid[]) AS b(id)`,
    [[down.id, off.id], harness.space.spaceId],
  );
  await notifyLongOpenBreakers(harness.api.db, harness.api.app.get(DeliveryKinds));
  expect(await noticesOf(down)).toMatchObject([
    { kind: 'bot.push_unreachable', object_type: 'bot', text: expect.stringContaining('"Down"') },
  ]);
  expect(await noticesOf(off)).toEqual([]);
});

test('reaching the threshold of consecutive failures sets the mode to none, with a notice and an audit entry', async () => {
  const bot = await pushed({ display_name: 'Fragile' });
  await deliver(bot, 400, 500);
  expect([await modeOf(bot), await noticesOf(bot)]).toEqual(['webhook', []]);
  await deliver(bot, 408);
  await eventually(async () => expect(await modeOf(bot)).toBe('none'));
  expect(await noticesOf(bot)).toEqual([
    {
      id: expect.any(String),
      kind: 'bot.push_auto_disabled',
      object_type: 'bot',
      object_id: bot.id,
      text: expect.stringMatching(/"Fragile".* Events since \d{4}-\d\d-\d\dT[\d:.]+Z are lost/),
      created_at: expect.any(String),
    },
  ]);
  const { entries } = (await harness.admin('GET', '/audit_log?limit=1')).body;
  expect(entries).toMatchObject([
    {
      action: 'bot.push_auto_disabled',
      actor_id: null,
      actor_type: 'system',
      object_id: bot.id,
      changes: { event_delivery_mode: { from: 'webhook', to: 'none' } },
    },
  ]);
  expect((await harness.admin('GET', `/bots/${bot.id}`)).body.bot).toMatchObject({
    is_active: true,
    webhook_url: '',
  });
  await deliver(bot, 200);
  expect(bot.receiver.requests).toHaveLength(1 + 3 + 1);
  expect(await harness.deliveries(bot)).toHaveLength(3);
  // The address is kept.
  expect(
    (await harness.admin('PATCH', `/bots/${bot.id}`, { event_delivery_mode: 'webhook' })).body.bot,
  ).toMatchObject({ webhook_url: `${bot.receiver.url}/bot` });
});

test('a 2xx in between resets the count', async () => {
  const bot = await pushed();
  await deliver(bot, 400, 400, 200, 400, 400);
  expect(await modeOf(bot)).toBe('webhook');
  await deliver(bot, 400);
  await eventually(async () => expect(await modeOf(bot)).toBe('none'));
});

test('pending deliveries die; after setting webhook again the count starts from 0', async () => {
  const bot = await pushed();
  bot.receiver.respond({ status: 503, headers: { 'retry-after': '60' } });
  await harness.post(channel, 'waits');
  await eventually(async () =>
    expect(await harness.deliveries(bot)).toMatchObject([{ status: 'pending', attempts: 1 }]),
  );
  await deliverAtOnce(bot, THRESHOLD);
  await eventually(async () => expect(await modeOf(bot)).toBe('none'));
  await eventually(async () =>
    expect((await harness.deliveries(bot)).map(({ status }) => status)).toEqual([
      'dead',
      'dead',
      'dead',
      'dead',
    ]),
  );
  await harness.change(bot, { event_delivery_mode: 'webhook' });
  await deliver(bot, 400, 400);
  expect(await modeOf(bot)).toBe('webhook');
});

/** Posts messages whose deliveries die immediately, and waits until none is pending. */
async function deliverAtOnce(bot: PushedBot, count: number): Promise<void> {
  bot.receiver.respond(400);
  for (let n = 0; n < count; n += 1) await harness.post(channel, 'x');
  await harness.sent(bot);
}

test('a disabled bot that is enabled again starts from 0', async () => {
  const bot = await pushed();
  await deliver(bot, 400, 400);
  await harness.change(bot, { is_active: false });
  await harness.change(bot, { is_active: true });
  await deliver(bot, 400, 400);
  expect(await modeOf(bot)).toBe('webhook');
});

describe('counting', () => {
  const count = (results: SettledDelivery[], threshold: number): Promise<void> =>
    runInWorkerTx(harness.api.db, (tx) => new ExhaustedPushes(threshold).count(tx, results));
  const storedOf = async (id: string) =>
    (
      await readRows<{ n: number }>(harness.api.db, 'SELECT push_failures AS n FROM bots WHERE id = $1', [id])
    )[0]?.n;

  describeCounting(() => ({
    make: async () => (await pushed()).id,
    spaceId: harness.space.spaceId,
    count,
    stored: storedOf,
    isOn: async (id) =>
      (
        await readRows(
          harness.api.db,
          `SELECT 1 FROM bots WHERE id = $1 AND event_delivery_mode = 'webhook' AND exhausted_at IS NULL`,
          [id],
        )
      ).length === 1,
    notices: async (id) => noticesOf({ id }),
  }));

  test('a bot in another mode is not counted, and a success of a healthy one writes nothing', async () => {
    const [polling, healthy] = [await pushed({ event_delivery_mode: 'poll' }), await pushed()];
    const settled = [
      ...settledAs(harness.space.spaceId, polling.id, '---'),
      ...settledAs(harness.space.spaceId, healthy.id, '++'),
    ];
    const assigned = await runInWorkerTx(harness.api.db, async (tx) => {
      await new ExhaustedPushes(THRESHOLD).count(tx, settled);
      return tx.query('SELECT pg_current_xact_id_if_assigned() AS id');
    });
    expect([assigned, await storedOf(polling.id), await modeOf(polling)]).toEqual([
      [{ id: null }],
      0,
      'poll',
    ]);
  });
});
