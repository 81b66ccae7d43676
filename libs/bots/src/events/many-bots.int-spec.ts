import { runInWorkerTx } from '@tieline/platform/database';
import { readRows } from '@tieline/testing';
import { EventsHarness } from '../testing/events-harness.js';

// Events of another space within the last second would make the parts smaller.
let harness: EventsHarness;
beforeAll(async () => {
  harness = await EventsHarness.start();
});
afterAll(() => harness?.close());

test('an event for more bots than one transaction plans reaches each of them once, before the next event', async () => {
  const [bot, channel] = [await harness.bot(), await harness.channel()];
  await harness.planned();
  await runInWorkerTx(harness.api.db, async (tx) => {
    await tx.query("UPDATE outbox_relay SET relay_id = '0198f3a2-7c1b-7000-8000-00000000fffd'");
    await tx.query(
      `INSERT INTO bot_plans SELECT p.space_id, n.id, p.config || jsonb_build_object('id', n.id, 'channelIds', ARRAY[$2::text])
       FROM bot_plans p, (SELECT gen_random_uuid() AS id FROM generate_series(1, 1200)) n WHERE p.id = $1`,
      [bot.id, channel],
    );
  });
  await harness.post(channel, 'one');
  await harness.post(channel, 'two');
  await harness.planned();
  const records = `poll_records WHERE bot_id IN (SELECT id FROM bot_plans WHERE config -> 'channelIds' ? $1)`;
  const queues = await readRows<{ texts: string[]; bots: number }>(
    harness.api.db,
    `SELECT texts, count(*)::int AS bots FROM (
       SELECT array_agg(payload::jsonb ->> 'text' ORDER BY id) AS texts FROM ${records} GROUP BY bot_id
     ) q GROUP BY texts`,
    [channel],
  );
  expect(queues).toEqual([{ texts: ['one', 'two'], bots: 1200 }]);
  const transactions = await readRows<{ n: number }>(
    harness.api.db,
    `SELECT count(DISTINCT xmin::text)::int AS n FROM ${records} GROUP BY event_id`,
    [channel],
  );
  expect(transactions).toEqual([{ n: 2 }, { n: 2 }]);
});
