import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { InteractiveHarness } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

let harness: InteractiveHarness;
let bot: CalledBack;
let message: SeededMessage;
let token: string;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(async () => {
  bot = await harness.calledBack();
  message = await harness.message(bot);
  harness.answers({ open_modal: { title: 'Why?' } });
  token = (await harness.click(message.id)).body.modal_token;
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
});
afterAll(() => harness?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body.result];
const GONE = [410, 'modal token already used or expired'];

test('the bot gets the values, and its answer is applied', async () => {
  harness.answers({ update_message: { text: 'Noted' } });
  expect((await harness.submit(token, { why: 'Because', nested: { a: [null] } })).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: message.id,
  });
  expect(harness.asked).toEqual([
    {
      event_type: 'modal.submit',
      space_id: harness.spaceId,
      actor_user_id: harness.person.id,
      conversation_id: message.channel,
      message_id: message.id,
      action_id: 'go',
      modal_id: expect.any(String),
      values: { why: 'Because', nested: { a: [null] } },
      occurred_at: expect.stringMatching(NANO),
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
    },
  ]);
  expect(harness.receiver.requests[0]!.headers['x-service-event']).toBe('modal.submit');
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Noted' });
});

test.each([
  ['absent', undefined],
  ['null', null],
  ['empty', {}],
])('%s values are {}', async (_, values) => {
  expect(outcome(await harness.submit(token, values))).toEqual([200, 'noop']);
  expect(harness.asked[0].values).toEqual({});
});

test.each([
  ['a list', []],
  ['a text', 'a'],
  ['a number', 7],
  ['over 64 KiB', { a: 'ä'.repeat(32_768) }],
])('values that are %s are 400 and use nothing up', async (_, values) => {
  expect((await harness.submit(token, values)).status).toBe(400);
  expect(harness.receiver.requests).toEqual([]);
  expect((await harness.submit(token)).status).toBe(200);
});

test("404 for unknown and other spaces' tokens, 403 for another person's, 410 for used ones, before the values are read", async () => {
  const [ben, stranger] = [
    await harness.fixture.space.person('member', 'Ben'),
    (await harness.otherSpace()).person,
  ];
  expect(outcome(await harness.submit('x'.repeat(43), []))).toEqual([404, 'modal not found']);
  expect(outcome(await harness.submit(token, [], { as: stranger }))).toEqual([404, 'modal not found']);
  expect(outcome(await harness.submit(token, {}))).toEqual([200, 'noop']);
  expect(outcome(await harness.submit(token, [], { as: ben }))).toEqual([403, 'modal of another person']);
  expect(outcome(await harness.submit(token, []))).toEqual(GONE);
});

test('410 after 15 minutes', async () => {
  const [row] = await readRows<{ left: number }>(
    harness.api.db,
    'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS left FROM modals WHERE message_id = $1',
    [message.id],
  );
  expect(row!.left).toBeGreaterThan(880);
  expect(row!.left).toBeLessThanOrEqual(900);
  await harness.api.db.query('UPDATE modals SET expires_at = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await harness.submit(token))).toEqual(GONE);
});

test('one of ten concurrent submissions succeeds, with one POST', async () => {
  harness.receiver.respond({ status: 200, body: { send_message: { text: 'Once' } }, delayMs: 100 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => harness.submit(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 410)]);
  expect(harness.receiver.requests).toHaveLength(1);
  expect(
    await harness.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
  ).toHaveLength(2);
});

test.each([
  ['silence', 'hang', 'did not answer'],
  ['a 500', 500, 'did not answer'],
  ['a bad answer', { body: { text: 'a' } }, 'sent an answer that Tieline could not read'],
  [
    'another modal',
    { body: { open_modal: { title: 'Again' } } },
    'sent an answer that Tieline could not read',
  ],
] as const)('%s is 503 and leaves the token usable', async (_, answer, what) => {
  harness.receiver.respond(answer);
  const silent = answer === 'hang' ? { callbackMs: 500 } : {};
  const failed = await harness.timeouts.during(silent, () => harness.submit(token));
  expect(outcome(failed)).toEqual([503, `the bot "Robot" ${what}`]);
  harness.answers({ ephemeral_text: 'Thanks' });
  expect((await harness.submit(token)).body).toEqual({
    ok: true,
    result: 'ephemeral',
    ephemeral_text: 'Thanks',
  });
  expect(outcome(await harness.submit(token))).toEqual(GONE);
});

test('403 for people who left, 410 for a deleted message, 403 in an archived conversation', async () => {
  const change = (sql: string) => harness.api.db.query(sql, [message.channel]);
  await change('UPDATE conversations SET archived_at = now() WHERE id = $1');
  expect(outcome(await harness.submit(token))).toEqual([403, 'conversation is archived']);
  await change('UPDATE conversations SET archived_at = NULL WHERE id = $1');
  await harness.api.call('DELETE', `/api/v1/client/messages/${message.id}`, {
    token: harness.fixture.space.owner.token,
  });
  expect(outcome(await harness.submit(token))).toEqual([410, 'message deleted']);
  await change(`DELETE FROM conversation_members WHERE conversation_id = $1 AND member_type = 'user'`);
  expect(outcome(await harness.submit(token))).toEqual([403, 'not a member of the conversation']);
});

test("the claim of a crashed process expires after the bot's time to answer", async () => {
  await harness.api.db.query(
    `UPDATE modals SET claim_id = id, claimed_until = clock_timestamp() + interval '1 hour' WHERE message_id = $1`,
    [message.id],
  );
  expect(outcome(await harness.submit(token))).toEqual(GONE);
  await harness.api.db.query('UPDATE modals SET claimed_until = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await harness.submit(token))).toEqual([200, 'noop']);
});

test('a submission that lost its claim while the bot answered gets 410 and applies nothing', async () => {
  harness.receiver.respond(async () => {
    await harness.api.db.query('UPDATE modals SET claim_id = gen_random_uuid() WHERE message_id = $1', [
      message.id,
    ]);
    return { body: { update_message: { text: 'Late' } } };
  });
  expect(outcome(await harness.submit(token))).toEqual(GONE);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Deploy?' });
});
