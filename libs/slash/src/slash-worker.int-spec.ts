import { BOTS_WORKER } from '@tieline/bots/testing';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { Queue } from '@tieline/queue';
import { eventually } from '@tieline/testing';
import { dropOrphanedCommands, dropTriggers } from './triggers/drop-triggers.js';
import { OLD_TRIGGERS } from './triggers/old-triggers.processor.js';
import { SlashWorkerModule } from './slash-worker.module.js';
import { SlashHarness } from './testing/index.js';

let harness: SlashHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

test('triggers are deleted a day after they expire, in small steps, and no earlier', async () => {
  harness = await SlashHarness.start();
  const {
    api,
    fixture: { space },
  } = harness;
  const insert = (expired: string) =>
    api.db.query(
      `INSERT INTO slash_triggers (space_id, id, bot_id, conversation_id, expires_at) VALUES ($1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), now() - $2::interval)`,
      [space.spaceId, expired],
    );
  for (const expired of ['25 hours', '25 hours', '25 hours', '23 hours', '-5 minutes']) await insert(expired);
  expect([
    await dropTriggers(api.db, 2),
    await dropTriggers(api.db, 2),
    await dropTriggers(api.db, 2),
  ]).toEqual([2, 1, 0]);
  expect(await api.db.query('SELECT 1 FROM slash_triggers')).toHaveLength(2);
});

test('commands of deleted bots are deleted with their secrets; those of disabled bots stay', async () => {
  harness = await SlashHarness.start();
  const [gone, off] = [await harness.command(), await harness.command()];
  await harness.fixture.admin('DELETE', `/bots/${gone.bot.id}`);
  await harness.fixture.admin('PATCH', `/bots/${off.bot.id}`, { is_active: false });
  await dropOrphanedCommands(harness.api.db);
  expect(await harness.api.db.query('SELECT id FROM slash_commands')).toEqual([{ id: off.id }]);
});

test('a worker deletes expired rows and delivers an invocation to the queue of a polling bot', async () => {
  harness = await SlashHarness.start({}, [...BOTS_WORKER, InteractiveWorkerModule, SlashWorkerModule]);
  const { api } = harness;
  await api.db.query(
    `INSERT INTO slash_triggers (space_id, id, bot_id, conversation_id, expires_at) VALUES ($1, $1, $1, $1, now() - interval '2 days')`,
    [harness.fixture.space.spaceId],
  );
  const polled = await harness.polledCommand();
  const { body } = await harness.invoke(await harness.channel(), `/${polled.name} now`);
  const record = await eventually(async () => {
    const token = { token: polled.bot.token };
    const { events } = (await api.call('GET', '/api/v1/bot/events?wait=10', token)).body;
    expect(events).toHaveLength(1);
    return events[0];
  });
  expect(record).toMatchObject({ event_id: body.trigger_id, event_type: 'slash.command' });
  expect(JSON.parse(record.payload_json)).toMatchObject({
    trigger_id: body.trigger_id,
    text: 'now',
    raw_text: `/${polled.name} now`,
  });
  await api.app.get(Queue).wake(OLD_TRIGGERS);
  await eventually(async () =>
    expect(await api.db.query('SELECT id FROM slash_triggers')).toEqual([{ id: body.trigger_id }]),
  );
});
