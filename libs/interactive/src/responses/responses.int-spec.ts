import { ClientStreamModule } from '@tieline/conversations';
import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually, EventStreamClient } from '@tieline/testing';
import { InteractiveRig } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let rig: InteractiveRig;
let bot: SeededBot;
let message: SeededMessage;
beforeAll(async () => {
  rig = await InteractiveRig.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  rig.answers({ noop: true });
  bot = await rig.calledBack();
  message = await rig.message(bot);
});
afterAll(() => rig?.close());

/** Clicks. @returns the token that the bot got with it */
async function clicked(): Promise<string> {
  expect((await rig.click(message.id)).status).toBe(200);
  return rig.asked.at(-1).response_token as string;
}
const respond = (
  token: string,
  body?: unknown,
  { as = bot, headers }: { as?: SeededBot; headers?: Record<string, string> } = {},
): Promise<TestAnswer> =>
  rig.api.call('POST', `/api/v1/bot/responses/${token}`, {
    token: as.token,
    body,
    ...(headers && { headers }),
  });
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body];

test('a click that was called back is answered late: the message is replaced, and others come beside it', async () => {
  const token = await clicked();
  expect(outcome(await respond(token, { update_message: { text: 'Done', metadata_json: '' } }))).toEqual([
    200,
    { ok: true },
  ]);
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Done', metadata_json: null });
  const { body } = await respond(token, { send_message: { text: 'More' } });
  expect(body).toEqual({ ok: true, message_id: expect.stringMatching(UUID) });
  expect(await rig.stored(body.message_id)).toMatchObject({
    text: 'More',
    author_id: bot.id,
    conversation_id: message.channel,
  });
});

test('the address in the event is that of the endpoint, and a token is made for every delivery', async () => {
  const token = await clicked();
  expect(rig.asked.at(-1).response_url).toMatch(new RegExp(`^http.*/api/v1/bot/responses/${token}$`));
  const other = await rig.message(bot);
  await rig.click(other.id);
  expect(rig.asked.at(-1).response_token).not.toBe(token);
});

test('delete_message deletes the original; what would change it then is 410, and something new still comes beside it', async () => {
  const token = await clicked();
  expect(outcome(await respond(token, { delete_message: true }))).toEqual([200, { ok: true }]);
  expect(await rig.stored(message.id)).toMatchObject({ text: '', metadata_json: null });
  for (const body of [{ delete_message: true }, { update_message: { text: 'x' } }])
    expect(outcome(await respond(token, body))).toEqual([410, 'message_deleted']);
  expect((await respond(token, { send_message: { text: 'Gone' } })).status).toBe(200);
});

test('ephemeral_text reaches the person’s stream, also where the bot is called back', async () => {
  const token = await clicked();
  const stream = await EventStreamClient.open(`${rig.api.url}/api/v1/client/stream`, rig.person.token);
  await respond(token, { ephemeral_text: 'Only you' });
  await stream.until(({ events }) => events.some(({ event }) => event === 'ephemeral'));
  expect(stream.events.find(({ event }) => event === 'ephemeral')).toEqual({
    event: 'ephemeral',
    conversation_id: message.channel,
    message_id: message.id,
    bot_id: bot.id,
    text: 'Only you',
  });
  stream.close();
});

test('a submitted modal has a token of its own, of the message that opened it', async () => {
  rig.answers({ open_modal: { title: 'Why?' } });
  const { modal_token: modal } = (await rig.click(message.id)).body;
  rig.answers({ noop: true });
  await rig.submit(modal, { why: 'x' });
  const { event_type: type, response_token: token } = rig.asked.at(-1);
  expect(type).toBe('modal.submit');
  await respond(token, { update_message: { text: 'Noted' } });
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Noted' });
});

test('a polled click has one too; the one answer of respond and late answers are apart', async () => {
  const polling = await rig.polling();
  message = await rig.message(polling);
  await rig.click(message.id);
  const { payload } = (await rig.directEvents()).at(-1)!;
  await rig.respond(polling, payload.interaction_id, { noop: true });
  const late = { update_message: { text: 'Late' } };
  expect((await respond(payload.response_token, late, { as: polling })).status).toBe(200);
  expect((await rig.respond(polling, payload.interaction_id, { noop: true })).status).toBe(410);
});

test('five answers are accepted, also of ten at once; a refused one counts for nothing', async () => {
  const token = await clicked();
  for (const bad of [undefined, {}, { delete_message: false }, { ephemeral_text: ' ' }])
    expect((await respond(token, bad)).status).toBe(400);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => respond(token, { ephemeral_text: `${n}` })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(410)]);
  expect(outcome(await respond(token, { ephemeral_text: 'more' }))).toEqual([410, 'response_used_up']);
});

test.each([
  ['none', { text: 'a' }, 'answer_required'],
  ['two', { delete_message: true, ephemeral_text: 'a' }, 'answer_ambiguous'],
  ['a modal', { open_modal: { title: 'x' } }, 'answer_required'],
  ['noop', { noop: true }, 'answer_required'],
  ['delete_message that is false', { delete_message: false }, 'invalid_field'],
  ['a blank text', { send_message: { text: ' ' } }, 'invalid_field'],
  ['metadata that is none', { send_message: { text: 'a', metadata_json: '[]' } }, 'invalid_field'],
])('%s is 400', async (_, body, code) => {
  expect(outcome(await respond(await clicked(), body))).toEqual([400, code]);
});

test('an unknown token and one of another space are 404, another bot’s is 403, an expired one 410', async () => {
  const token = await clicked();
  const body = { delete_message: true };
  const stranger = await (await rig.otherSpace()).calledBack();
  for (const given of ['x', `tlr_${'A'.repeat(180)}`])
    expect(outcome(await respond(given, body))).toEqual([404, 'response_not_found']);
  expect(outcome(await respond(token, body, { as: stranger }))).toEqual([404, 'response_not_found']);
  const near = await rig.calledBack();
  expect(outcome(await respond(token, body, { as: near }))).toEqual([403, 'response_of_another_bot']);
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Deploy?' });
});

test('send_message is for members; a bot that has left still changes what was clicked', async () => {
  const token = await clicked();
  await rig.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
    token: rig.person.token,
  });
  expect(outcome(await respond(token, { send_message: { text: 'x' } }))).toEqual([
    403,
    'bot_not_in_conversation',
  ]);
  expect((await respond(token, { update_message: { text: 'Still' } })).status).toBe(200);
});

test('a repeat with the same Idempotency-Key gets the first answer and uses nothing up; another body is 409', async () => {
  const token = await clicked();
  const headers = { 'idempotency-key': `late-${message.id}` };
  const body = { send_message: { text: 'Once' } };
  const first = await respond(token, body, { headers });
  for (let n = 0; n < 6; n += 1) expect((await respond(token, body, { headers })).body).toEqual(first.body);
  expect((await respond(token, { send_message: { text: 'Twice' } }, { headers })).status).toBe(409);
  expect((await respond(token, { send_message: { text: 'Twice' } })).status).toBe(200);
});

describe('with tokens of a second', () => {
  let short: InteractiveRig;
  beforeAll(async () => {
    short = await InteractiveRig.start({ RESPONSE_TOKEN_TTL_SECONDS: '1' });
  });
  afterAll(() => short?.close());

  test('an expired one is 410', async () => {
    short.answers({ noop: true });
    const called = await short.calledBack();
    await short.click((await short.message(called)).id);
    const token = short.asked.at(-1).response_token as string;
    await eventually(async () => {
      const answer = await short.api.call('POST', `/api/v1/bot/responses/${token}`, {
        token: called.token,
        body: { text: 'bad as well' },
      });
      expect([answer.status, answer.body.code]).toEqual([410, 'response_expired']);
    });
  });
});

describe('with two messages a second', () => {
  let slow: InteractiveRig;
  beforeAll(async () => {
    slow = await InteractiveRig.start({ RATE_BOT_MESSAGES_PER_SECOND: '2' });
  });
  afterAll(() => slow?.close());

  test('late answers count as messages of the bot in that conversation', async () => {
    slow.answers({ noop: true });
    const called = await slow.calledBack();
    await slow.click((await slow.message(called)).id);
    const token = slow.asked.at(-1).response_token as string;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        slow.api.call('POST', `/api/v1/bot/responses/${token}`, {
          token: called.token,
          body: { ephemeral_text: 'x' },
        }),
      ),
    );
    expect(answers.some(({ status }) => status === 429)).toBe(true);
  });
});

test('late answers by one token at once hold two connections while they wait for the conversation', async () => {
  const token = await clicked();
  const { answers, waited } = await rig.api.whileRowLocked('conversations', message.channel, () =>
    Array.from({ length: 9 }, (_, n) => respond(token, { send_message: { text: `answer ${n}` } })),
  );
  expect(waited).toBe(2);
  const [taken, usedUp] = [200, 410].map((code) => answers.filter(({ status }) => status === code).length);
  expect([taken, usedUp]).toEqual([5, 4]);
});
