import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { InteractiveRig, SELECT } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

let rig: InteractiveRig;
let second: TestApi['call'];
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  rig = await InteractiveRig.start({ CALLBACK_TIMEOUT_MS: '2000' });
  second = await rig.anotherProcess();
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  rig.receiver.respond(200);
  bot = await rig.calledBack();
  message = await rig.message(bot);
});
afterAll(() => rig?.close());

const results = (answers: TestAnswer[]) =>
  answers.map(({ status, body }) => (status === 200 ? body.result : status)).sort();
/** As if so much time had passed since the click. */
const age = (interval: string) =>
  rig.api.db.query(
    'UPDATE component_clicks SET clicked_at = clicked_at - $1::interval, expires_at = expires_at - $1::interval',
    [interval],
  );

test('the same click within 60 seconds is a duplicate, and afterwards a click', async () => {
  rig.answers({ ephemeral_text: 'Yes' });
  expect(results([await rig.click(message.id), await rig.click(message.id)])).toEqual([
    'duplicate',
    'ephemeral',
  ]);
  await age('59 seconds');
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
  await age('1 second');
  expect((await rig.click(message.id)).body).toMatchObject({ result: 'ephemeral' });
  expect(rig.receiver.requests).toHaveLength(2);
});

test('ten clicks at once, over two processes, are one POST', async () => {
  rig.receiver.respond({ status: 200, body: { send_message: { text: 'Once' } }, delayMs: 100 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      rig.click(message.id, { call: n % 2 ? second : rig.api.call.bind(rig.api) }),
    ),
  );
  expect(results(answers)).toEqual([...Array.from({ length: 9 }, () => 'duplicate'), 'send_message']);
  expect(rig.receiver.requests).toHaveLength(1);
  expect(
    await rig.api.db.query(`SELECT 1 FROM messages WHERE text = 'Once' AND conversation_id = $1`, [
      message.channel,
    ]),
  ).toHaveLength(1);
});

test('ten clicks at once are one record in the queue', async () => {
  const polled = await rig.message(await rig.polling());
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      rig.click(polled.id, { call: n % 2 ? second : rig.api.call.bind(rig.api) }),
    ),
  );
  expect(results(answers)).toEqual([...Array.from({ length: 9 }, () => 'duplicate'), 'queued']);
  expect((await rig.directEvents()).filter(({ bot_id }) => bot_id === polled.bot.id)).toHaveLength(1);
});

test('another person, another option, another action, other data, another message: another click', async () => {
  const ben = await rig.fixture.space.person('member', 'Ben');
  await rig.api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user')`,
    [rig.spaceId, message.channel, ben.id],
  );
  const select = (selected_value: string) => rig.click(message.id, { action_id: 'stage', selected_value });
  const twin = await rig.message(bot, { channel: message.channel });
  const answers = [
    await rig.click(message.id),
    await rig.click(message.id, { as: ben }),
    await select('test'),
    await select('live'),
    await rig.click(twin.id),
  ];
  const changed = await rig.signed(bot, [
    { type: 'button', action_id: 'go', text: 'Go', data: 'other' },
    SELECT,
  ]);
  await rig.api.db.query('UPDATE messages SET metadata_json = $2 WHERE id = $1', [message.id, changed]);
  answers.push(await rig.click(message.id));
  expect(results(answers)).toEqual(Array.from({ length: 6 }, () => 'noop'));
  expect(results([await select('live')])).toEqual(['duplicate']);
});

test('a repeated click that had opened a modal opens it again, until it is submitted', async () => {
  rig.answers({ open_modal: { title: 'Why?' } });
  const first = (await rig.click(message.id)).body;
  expect((await rig.click(message.id)).body).toEqual(first);
  rig.answers({ noop: true });
  expect((await rig.submit(first.modal_token)).body).toEqual({ ok: true, result: 'noop' });
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
});

test('while a click is in flight the same one is a duplicate; when it fails, the next one counts', async () => {
  rig.receiver.respond('hang');
  const hanging = rig.click(message.id);
  await rig.receiver.waitFor(1);
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
  expect((await hanging).status).toBe(503);
  rig.answers({});
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'noop' });
});

test("the claim of a process that died is free once the bot's time to answer is over", async () => {
  rig.receiver.respond('hang');
  const lost = rig.click(message.id);
  await rig.receiver.waitFor(1);
  const [row] = await readRows<{ ms: number }>(
    rig.api.db,
    `SELECT extract(epoch FROM expires_at - clicked_at)::float8 * 1000 AS ms FROM component_clicks ORDER BY clicked_at DESC LIMIT 1`,
  );
  expect(row!.ms).toBeGreaterThan(2000);
  expect(row!.ms).toBeLessThan(15_000);
  await age('15 seconds');
  rig.answers({});
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'noop' });
  // What the dead one might still do does not take the window away from the living.
  await lost;
  expect((await rig.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
});
