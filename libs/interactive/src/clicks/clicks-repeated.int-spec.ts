import type { TestAnswer, TestApi } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { InteractiveHarness, LONG_MS, SELECT } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

let harness: InteractiveHarness;
let second: TestApi['call'];
let bot: CalledBack;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
  second = await harness.anotherProcess();
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  bot = await harness.calledBack();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

const results = (answers: TestAnswer[]) =>
  answers.map(({ status, body }) => (status === 200 ? body.result : status)).sort();
/** Makes the clicks older by this interval. */
const age = (interval: string) =>
  harness.api.db.query(
    'UPDATE component_clicks SET clicked_at = clicked_at - $1::interval, expires_at = expires_at - $1::interval',
    [interval],
  );

/** Makes callbacks wait. @returns a function that lets them fail */
function hold(): () => void {
  let fail: () => void = () => undefined;
  const failed = new Promise<void>((resolve) => (fail = resolve));
  harness.receiver.respond(() => failed.then(() => 500));
  return fail;
}

test('the same click within 60 seconds is a duplicate, and later it counts as a new click', async () => {
  harness.answers({ ephemeral_text: 'Yes' });
  expect(results([await harness.click(message.id), await harness.click(message.id)])).toEqual([
    'duplicate',
    'ephemeral',
  ]);
  const windows = await readRows(
    harness.api.db,
    'SELECT extract(epoch FROM expires_at - clicked_at)::int AS s FROM component_clicks WHERE expires_at > now()',
  );
  expect(windows).toEqual([{ s: 60 }]);
  await age('30 seconds');
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
  await age('30 seconds');
  expect((await harness.click(message.id)).body).toMatchObject({ result: 'ephemeral' });
  expect(harness.receiver.requests).toHaveLength(2);
});

test('ten concurrent clicks at two processes cause one POST', async () => {
  harness.receiver.respond({ status: 200, body: { send_message: { text: 'Once' } }, delayMs: 100 });
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      harness.click(message.id, { call: n % 2 ? second : harness.api.call.bind(harness.api) }),
    ),
  );
  expect(results(answers)).toEqual([...Array.from({ length: 9 }, () => 'duplicate'), 'send_message']);
  expect(harness.receiver.requests).toHaveLength(1);
  expect(
    await harness.api.db.query(`SELECT 1 FROM messages WHERE text = 'Once' AND conversation_id = $1`, [
      message.channel,
    ]),
  ).toHaveLength(1);
});

test('ten concurrent clicks create one record in the queue', async () => {
  const polled = await harness.message(await harness.polling());
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      harness.click(polled.id, { call: n % 2 ? second : harness.api.call.bind(harness.api) }),
    ),
  );
  expect(results(answers)).toEqual([...Array.from({ length: 9 }, () => 'duplicate'), 'queued']);
  expect((await harness.directEvents()).filter(({ bot_id }) => bot_id === polled.bot.id)).toHaveLength(1);
});

test('a different person, option, action, data or message makes a different click', async () => {
  const ben = await harness.fixture.space.person('member', 'Ben');
  await harness.api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'user')`,
    [harness.spaceId, message.channel, ben.id],
  );
  const select = (selected_value: string) =>
    harness.click(message.id, { action_id: 'stage', selected_value });
  const twin = await harness.message(bot, { channel: message.channel });
  const answers = [
    await harness.click(message.id),
    await harness.click(message.id, { as: ben }),
    await select('test'),
    await select('live'),
    await harness.click(twin.id),
  ];
  const changed = await harness.signed(bot, [
    { type: 'button', action_id: 'go', text: 'Go', data: 'other' },
    SELECT,
  ]);
  await harness.api.db.query('UPDATE messages SET metadata_json = $2 WHERE id = $1', [message.id, changed]);
  answers.push(await harness.click(message.id));
  expect(results(answers)).toEqual(Array.from({ length: 6 }, () => 'noop'));
  expect(results([await select('live')])).toEqual(['duplicate']);
});

test('a repeated click opens its modal again until the modal is submitted', async () => {
  harness.answers({ open_modal: { title: 'Why?' } });
  const first = (await harness.click(message.id)).body;
  expect((await harness.click(message.id)).body).toEqual(first);
  harness.answers({ noop: true });
  expect((await harness.submit(first.modal_token)).body).toEqual({ ok: true, result: 'noop' });
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
});

test('the same click is a duplicate while the first is in flight, and counts after the first has failed', async () => {
  const fail = hold();
  const hanging = harness.click(message.id);
  await harness.receiver.waitFor(1);
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
  fail();
  expect((await hanging).status).toBe(503);
  harness.answers({});
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'noop' });
});

test("the claim of a crashed process expires after the bot's time to answer", async () => {
  const fail = hold();
  const lost = harness.click(message.id);
  await harness.receiver.waitFor(1);
  const [row] = await readRows<{ ms: number }>(
    harness.api.db,
    `SELECT extract(epoch FROM expires_at - clicked_at)::float8 * 1000 AS ms FROM component_clicks ORDER BY clicked_at DESC LIMIT 1`,
  );
  expect(row!.ms).toBeGreaterThan(LONG_MS);
  expect(row!.ms).toBeLessThan(LONG_MS + 13_000);
  await age(`${LONG_MS + 13_000} milliseconds`);
  harness.answers({});
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'noop' });
  // The late completion of the crashed process does not remove the new window.
  fail();
  await lost;
  expect((await harness.click(message.id)).body).toEqual({ ok: true, result: 'duplicate' });
});
