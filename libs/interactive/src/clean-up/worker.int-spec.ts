import { BOTS_WORKER } from '@tieline/bots/testing';
import { Metrics } from '@tieline/platform/observability';
import { Queue } from '@tieline/queue';
import { eventually } from '@tieline/testing';
import { dropInteractions } from './drop-interactions.js';
import { OLD_INTERACTIONS } from './old-interactions.processor.js';
import { InteractiveWorkerModule } from '../interactive-worker.module.js';
import { InteractiveHarness } from '../testing/index.js';

let harness: InteractiveHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** Inserts one expired row into each table. */
async function leftOver({ api: { db }, spaceId }: InteractiveHarness, ago: string): Promise<void> {
  const expires = `now() - '${ago}'::interval`;
  await db.query(
    `INSERT INTO component_clicks (space_id, fingerprint, click_id, expires_at) VALUES ($1, uuid_send(gen_random_uuid()), $1, ${expires})`,
    [spaceId],
  );
  await db.query(
    `INSERT INTO interactions (space_id, id, bot_id, user_id, conversation_id, message_id, action_id, expires_at) VALUES ($1, gen_random_uuid(), $1, $1, $1, $1, 'a', ${expires})`,
    [spaceId],
  );
  await db.query(
    `INSERT INTO modals (space_id, id, token_hash, bot_id, user_id, conversation_id, message_id, action_id, modal, chain_depth, expires_at)
     VALUES ($1, gen_random_uuid(), uuid_send(gen_random_uuid()), $1, $1, $1, $1, 'a', '{}', 1, ${expires})`,
    [spaceId],
  );
}

async function counts({ api: { db } }: InteractiveHarness): Promise<number[]> {
  const tables = ['component_clicks', 'interactions', 'modals'];
  return Promise.all(tables.map(async (table) => (await db.query(`SELECT 1 FROM ${table}`)).length));
}

test('expired clicks are deleted immediately, interactions and modals after a day, in small steps', async () => {
  harness = await InteractiveHarness.start();
  for (const ago of ['25 hours', '25 hours', '25 hours', '23 hours', '-5 minutes'])
    await leftOver(harness, ago);
  expect([
    await dropInteractions(harness.api.db, 2),
    await dropInteractions(harness.api.db, 2),
    await dropInteractions(harness.api.db, 2),
  ]).toEqual([6, 4, 0]);
  expect(await counts(harness)).toEqual([1, 2, 2]);
});

test('a worker deletes expired rows and delivers a click to the queue of a polling bot', async () => {
  harness = await InteractiveHarness.start({}, [...BOTS_WORKER, InteractiveWorkerModule]);
  const { api } = harness;
  await leftOver(harness, '2 days');
  const bot = await harness.polling();
  const message = await harness.message(bot);
  const { interaction_id: id } = (await harness.click(message.id)).body;
  const record = await eventually(async () => {
    const { events } = (await api.call('GET', '/api/v1/bot/events?wait=10', { token: bot.token })).body;
    expect(events).toHaveLength(1);
    return events[0];
  });
  expect(record).toMatchObject({ event_id: id, event_type: 'button.click' });
  expect(JSON.parse(record.payload_json)).toMatchObject({ interaction_id: id, data: '{"build":4711}' });
  expect((await harness.respond(bot, id, { update_message: { text: 'Done' } })).status).toBe(200);
  await api.app.get(Queue).wake(OLD_INTERACTIONS);
  await eventually(async () => expect(await counts(harness!)).toEqual([1, 1, 0]));
  expect(await api.app.get(Metrics).text()).toContain(
    'tieline_interactions_total{event="button.click",outcome="queued"} 1',
  );
});
