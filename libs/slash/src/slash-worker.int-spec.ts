import { BOTS_WORKER } from '@tieline/bots/testing';
import { InteractiveWorkerModule } from '@tieline/interactive';
import { Queue } from '@tieline/queue';
import { eventually } from '@tieline/testing';
import { dropOrphanedCommands, dropTriggers } from './triggers/drop-triggers.js';
import { OLD_TRIGGERS } from './triggers/old-triggers.processor.js';
import { SlashWorkerModule } from './slash-worker.module.js';
import { SlashRig } from './testing/index.js';

let rig: SlashRig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

test('triggers are forgotten a day after they expired, in steps, and no earlier', async () => {
  rig = await SlashRig.start();
  const {
    api,
    fixture: { space },
  } = rig;
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

test('commands of deleted bots go with their secrets; those of disabled bots stay', async () => {
  rig = await SlashRig.start();
  const [gone, off] = [await rig.command(), await rig.command()];
  await rig.fixture.admin('DELETE', `/bots/${gone.bot.id}`);
  await rig.fixture.admin('PATCH', `/bots/${off.bot.id}`, { is_active: false });
  await dropOrphanedCommands(rig.api.db);
  expect(await rig.api.db.query('SELECT id FROM slash_commands')).toEqual([{ id: off.id }]);
});

test('a worker forgets by itself, and brings an invocation into the queue of a bot that polls', async () => {
  rig = await SlashRig.start({}, [...BOTS_WORKER, InteractiveWorkerModule, SlashWorkerModule]);
  const { api } = rig;
  await api.db.query(
    `INSERT INTO slash_triggers (space_id, id, bot_id, conversation_id, expires_at) VALUES ($1, $1, $1, $1, now() - interval '2 days')`,
    [rig.fixture.space.spaceId],
  );
  const polled = await rig.polledCommand();
  const { body } = await rig.invoke(await rig.channel(), `/${polled.name} now`);
  const poll = () => api.call('GET', '/api/v1/bot/events?wait=10', { token: polled.bot.token });
  const [record] = (await poll()).body.events;
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
