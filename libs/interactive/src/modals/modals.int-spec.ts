import type { TestAnswer } from '@tieline/spaces/testing';
import { readRows } from '@tieline/testing';
import { InteractiveRig } from '../testing/index.js';
import type { CalledBack, SeededMessage } from '../testing/index.js';

const NANO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/;

let rig: InteractiveRig;
let bot: CalledBack;
let message: SeededMessage;
let token: string;
beforeAll(async () => {
  rig = await InteractiveRig.start();
});
beforeEach(async () => {
  bot = await rig.calledBack();
  message = await rig.message(bot);
  rig.answers({ open_modal: { title: 'Why?' } });
  token = (await rig.click(message.id)).body.modal_token;
  rig.receiver.requests.length = 0;
  rig.receiver.respond(200);
});
afterAll(() => rig?.close());

const outcome = ({ status, body }: TestAnswer) => [status, body.error ?? body.result];
const GONE = [410, 'modal token already used or expired'];

test('the bot gets the values, and its answer is carried out', async () => {
  rig.answers({ update_message: { text: 'Noted' } });
  expect((await rig.submit(token, { why: 'Because', nested: { a: [null] } })).body).toEqual({
    ok: true,
    result: 'update_message',
    message_id: message.id,
  });
  expect(rig.asked).toEqual([
    {
      event_type: 'modal.submit',
      space_id: rig.spaceId,
      actor_user_id: rig.person.id,
      conversation_id: message.channel,
      message_id: message.id,
      action_id: 'go',
      values: { why: 'Because', nested: { a: [null] } },
      occurred_at: expect.stringMatching(NANO),
      response_token: expect.stringMatching(/^tlr_/),
      response_url: expect.stringContaining('/api/v1/bot/responses/tlr_'),
    },
  ]);
  expect(rig.receiver.requests[0]!.headers['x-service-event']).toBe('modal.submit');
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Noted' });
});

test.each([
  ['absent', undefined],
  ['null', null],
  ['empty', {}],
])('%s values are {}', async (_, values) => {
  expect(outcome(await rig.submit(token, values))).toEqual([200, 'noop']);
  expect(rig.asked[0].values).toEqual({});
});

test.each([
  ['a list', []],
  ['a text', 'a'],
  ['a number', 7],
  ['over 64 KiB', { a: 'ä'.repeat(32_768) }],
])('values that are %s are 400 and use nothing up', async (_, values) => {
  expect((await rig.submit(token, values)).status).toBe(400);
  expect(rig.receiver.requests).toEqual([]);
  expect((await rig.submit(token)).status).toBe(200);
});

test("404 unknown, of another space; 403 another person's; 410 used; in this order, before the values", async () => {
  const [ben, stranger] = [await rig.fixture.space.person('member', 'Ben'), (await rig.otherSpace()).person];
  expect(outcome(await rig.submit('x'.repeat(43), []))).toEqual([404, 'modal not found']);
  expect(outcome(await rig.submit(token, [], { as: stranger }))).toEqual([404, 'modal not found']);
  expect(outcome(await rig.submit(token, {}))).toEqual([200, 'noop']);
  expect(outcome(await rig.submit(token, [], { as: ben }))).toEqual([403, 'modal of another person']);
  expect(outcome(await rig.submit(token, []))).toEqual(GONE);
});

test('410 after 15 minutes', async () => {
  const [row] = await readRows<{ left: number }>(
    rig.api.db,
    'SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS left FROM modals WHERE message_id = $1',
    [message.id],
  );
  expect(row!.left).toBeGreaterThan(880);
  expect(row!.left).toBeLessThanOrEqual(900);
  await rig.api.db.query('UPDATE modals SET expires_at = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await rig.submit(token))).toEqual(GONE);
});

test('of ten submits at once one gets through, in one POST', async () => {
  rig.receiver.respond({ status: 200, body: { send_message: { text: 'Once' } }, delayMs: 100 });
  const answers = await Promise.all(Array.from({ length: 10 }, () => rig.submit(token)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 410)]);
  expect(rig.receiver.requests).toHaveLength(1);
  expect(
    await rig.api.db.query('SELECT 1 FROM messages WHERE conversation_id = $1', [message.channel]),
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
  rig.receiver.respond(answer);
  expect(outcome(await rig.submit(token))).toEqual([503, `the bot "Robot" ${what}`]);
  rig.answers({ ephemeral_text: 'Thanks' });
  expect((await rig.submit(token)).body).toEqual({ ok: true, result: 'ephemeral', ephemeral_text: 'Thanks' });
  expect(outcome(await rig.submit(token))).toEqual(GONE);
});

test('who left the conversation is 403; a deleted message 410, an archived conversation 403', async () => {
  const change = (sql: string) => rig.api.db.query(sql, [message.channel]);
  await change('UPDATE conversations SET archived_at = now() WHERE id = $1');
  expect(outcome(await rig.submit(token))).toEqual([403, 'conversation is archived']);
  await change('UPDATE conversations SET archived_at = NULL WHERE id = $1');
  await rig.api.call('DELETE', `/api/v1/client/messages/${message.id}`, {
    token: rig.fixture.space.owner.token,
  });
  expect(outcome(await rig.submit(token))).toEqual([410, 'message deleted']);
  await change(`DELETE FROM conversation_members WHERE conversation_id = $1 AND member_type = 'user'`);
  expect(outcome(await rig.submit(token))).toEqual([403, 'not a member of the conversation']);
});

test("the claim of a process that died is free once the bot's time to answer is over", async () => {
  await rig.api.db.query(
    `UPDATE modals SET claim_id = id, claimed_until = clock_timestamp() + interval '1 hour' WHERE message_id = $1`,
    [message.id],
  );
  expect(outcome(await rig.submit(token))).toEqual(GONE);
  await rig.api.db.query('UPDATE modals SET claimed_until = clock_timestamp() WHERE message_id = $1', [
    message.id,
  ]);
  expect(outcome(await rig.submit(token))).toEqual([200, 'noop']);
});
