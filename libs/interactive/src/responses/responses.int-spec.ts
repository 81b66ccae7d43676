import { ClientStreamModule, LiveEvents } from '@tieline/live-stream';
import type { SeededBot } from '@tieline/bots/testing';
import { DeleteMessage } from '@tieline/conversations';
import { openDb } from '@tieline/platform/database';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import type { BotPrincipal } from '@tieline/platform/http';
import { limitedToken } from '@tieline/spaces/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { eventually, EventStreamClient, startTcpProxy } from '@tieline/testing';
import { AnswerApplier } from '../answers/answer-applier.js';
import { ChoiceAnswers } from '../choices/choice-answers.js';
import { InteractiveHarness } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';
import { requireSubject, RespondLate } from './respond-late.js';
import { ResponseTokens } from './response-tokens.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let harness: InteractiveHarness;
let bot: SeededBot;
let message: SeededMessage;
beforeAll(async () => {
  harness = await InteractiveHarness.start({}, [ClientStreamModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.answers({ noop: true });
  bot = await harness.calledBack();
  message = await harness.message(bot);
});
afterAll(() => harness?.close());

/** Clicks. @returns the response token that the bot received */
async function clicked(): Promise<string> {
  expect((await harness.click(message.id)).status).toBe(200);
  return harness.asked.at(-1).response_token as string;
}
const respond = (
  token: string,
  body?: unknown,
  { as = bot, headers }: { as?: SeededBot; headers?: Record<string, string> } = {},
): Promise<TestAnswer> =>
  harness.api.call('POST', `/api/v1/bot/responses/${token}`, {
    token: as.token,
    body,
    ...(headers && { headers }),
  });
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body];

test('a late answer to a click can change the message and post new ones', async () => {
  const token = await clicked();
  expect(outcome(await respond(token, { update_message: { text: 'Done', metadata_json: '' } }))).toEqual([
    200,
    { ok: true },
  ]);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Done', metadata_json: null });
  const { body } = await respond(token, { send_message: { text: 'More' } });
  expect(body).toEqual({ ok: true, message_id: expect.stringMatching(UUID) });
  expect(await harness.stored(body.message_id)).toMatchObject({
    text: 'More',
    author_id: bot.id,
    conversation_id: message.channel,
  });
});

test('a late answer to a click requires the scope interactive', async () => {
  const token = await clicked();
  const as = (limited: string) => respond(token, { noop: true }, { as: { ...bot, token: limited } });
  expect((await as(limitedToken(bot.token, 'commands', 'messages:write'))).body).toMatchObject({
    code: 'insufficient_scope',
    required: 'interactive',
  });
  expect((await as(limitedToken(bot.token, 'interactive'))).body.code).not.toBe('insufficient_scope');
});

test('the event contains the address of the endpoint, and every delivery has a new token', async () => {
  const token = await clicked();
  expect(harness.asked.at(-1).response_url).toMatch(new RegExp(`^http.*/api/v1/bot/responses/${token}$`));
  const other = await harness.message(bot);
  await harness.click(other.id);
  expect(harness.asked.at(-1).response_token).not.toBe(token);
});

test('after delete_message changes of the original get 410, but new messages can be posted', async () => {
  const token = await clicked();
  expect(outcome(await respond(token, { delete_message: true }))).toEqual([200, { ok: true }]);
  expect(await harness.stored(message.id)).toMatchObject({ text: '', metadata_json: null });
  for (const body of [{ delete_message: true }, { update_message: { text: 'x' } }])
    expect(outcome(await respond(token, body))).toEqual([410, 'message_deleted']);
  expect((await respond(token, { send_message: { text: 'Gone' } })).status).toBe(200);
});

test('ephemeral_text reaches the person’s stream, also in callback mode', async () => {
  const token = await clicked();
  const stream = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
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

test('a submitted modal has its own token, whose original is the message that opened it', async () => {
  harness.answers({ open_modal: { title: 'Why?' } });
  const { modal_token: modal } = (await harness.click(message.id)).body;
  harness.answers({ noop: true });
  await harness.submit(modal, { why: 'x' });
  const { event_type: type, response_token: token } = harness.asked.at(-1);
  expect(type).toBe('modal.submit');
  await respond(token, { update_message: { text: 'Noted' } });
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Noted' });
});

test('a polled click has a token too, and `respond` does not count as a late answer', async () => {
  const polling = await harness.polling();
  message = await harness.message(polling);
  await harness.click(message.id);
  const { payload } = (await harness.directEvents()).at(-1)!;
  await harness.respond(polling, payload.interaction_id, { noop: true });
  const late = { update_message: { text: 'Late' } };
  expect((await respond(payload.response_token, late, { as: polling })).status).toBe(200);
  expect((await harness.respond(polling, payload.interaction_id, { noop: true })).status).toBe(410);
});

test('five of ten concurrent answers are accepted, and refused ones do not count', async () => {
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
  ['delete_message: false', { delete_message: false }, 'invalid_field'],
  ['a blank text', { send_message: { text: ' ' } }, 'invalid_field'],
  ['metadata that is none', { send_message: { text: 'a', metadata_json: '[]' } }, 'invalid_field'],
])('%s gets 400', async (_, body, code) => {
  expect(outcome(await respond(await clicked(), body))).toEqual([400, code]);
});

test('404 for unknown and other spaces’ tokens, 403 for another bot’s, 410 for expired ones', async () => {
  const token = await clicked();
  const body = { delete_message: true };
  const stranger = await (await harness.otherSpace()).calledBack();
  for (const given of ['x', `tlr_${'A'.repeat(180)}`])
    expect(outcome(await respond(given, body))).toEqual([404, 'response_not_found']);
  expect(outcome(await respond(token, body, { as: stranger }))).toEqual([404, 'response_not_found']);
  const near = await harness.calledBack();
  expect(outcome(await respond(token, body, { as: near }))).toEqual([403, 'response_of_another_bot']);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Deploy?' });
});

test('send_message needs membership, but a bot that left can still change the clicked message', async () => {
  const token = await clicked();
  await harness.api.call('DELETE', `/api/v1/client/conversations/${message.channel}/members/${bot.id}`, {
    token: harness.person.token,
  });
  expect(outcome(await respond(token, { send_message: { text: 'x' } }))).toEqual([
    403,
    'bot_not_in_conversation',
  ]);
  expect((await respond(token, { update_message: { text: 'Still' } })).status).toBe(200);
});

test('a repeat with the same Idempotency-Key gets the first answer and does not count; another body gets 409', async () => {
  const token = await clicked();
  const headers = { 'idempotency-key': `late-${message.id}` };
  const body = { send_message: { text: 'Once' } };
  const first = await respond(token, body, { headers });
  for (let n = 0; n < 6; n += 1) expect((await respond(token, body, { headers })).body).toEqual(first.body);
  expect((await respond(token, { send_message: { text: 'Twice' } }, { headers })).status).toBe(409);
  expect((await respond(token, { send_message: { text: 'Twice' } })).status).toBe(200);
});

test('a late answer whose connection was cut after its commit is posted once', async () => {
  const token = await clicked();
  const { app, db } = harness.api;
  const proxy = await startTcpProxy(db.pool.options.connectionString as string);
  const cut = await openDb({ databaseUrl: proxy.url });
  cut.pool.on('error', () => undefined);
  let commits = 0;
  proxy.cutWhen((bytes) => (bytes.includes('COMMIT') && (commits += 1) === 1 ? 'after' : undefined));
  const { spaceId } = harness;
  const principal: BotPrincipal = { kind: 'bot', botId: bot.id, spaceId, channelIds: [], scopes: 'all' };
  const [applier, deletion, choices, live, tokens] = [
    app.get(AnswerApplier, { strict: false }),
    app.get(DeleteMessage, { strict: false }),
    app.get(ChoiceAnswers, { strict: false }),
    app.get(LiveEvents, { strict: false }),
    app.get(ResponseTokens, { strict: false }),
  ];
  const subject = requireSubject(tokens, principal, token);
  const body = { send_message: { text: 'Only once' } };
  const respondLate = new RespondLate(cut, applier, deletion, choices, live);
  const { messageId } = await respondLate.run(principal, { subject, body, key: undefined });
  const posted = 'SELECT id FROM messages WHERE conversation_id = $1 AND text = $2';
  expect(await db.query(posted, [message.channel, 'Only once'])).toEqual([{ id: messageId }]);
  await cut.close();
  await proxy.close();
});

describe('with a token lifetime of one second', () => {
  let short: InteractiveHarness;
  beforeAll(async () => {
    short = await InteractiveHarness.start({ RESPONSE_TOKEN_TTL_SECONDS: '1' });
  });
  afterAll(() => short?.close());

  test('an expired token gets 410', async () => {
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

describe('with a limit of two messages per second', () => {
  let slow: InteractiveHarness;
  beforeAll(async () => {
    slow = await InteractiveHarness.start({ RATE_BOT_MESSAGES_PER_SECOND: '2' });
  });
  afterAll(() => slow?.close());

  test('late answers count against the bot’s message rate in the conversation', async () => {
    slow.answers({ noop: true });
    await withinOneWindow(slow.api, async () => {
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
});

test('concurrent late answers with one token use at most two connections while they wait for the conversation', async () => {
  const token = await clicked();
  const { answers, waited } = await harness.api.whileRowLocked('conversations', message.channel, () =>
    Array.from({ length: 9 }, (_, n) => respond(token, { send_message: { text: `answer ${n}` } })),
  );
  expect(waited).toBe(2);
  const [taken, usedUp] = [200, 410].map((code) => answers.filter(({ status }) => status === code).length);
  expect([taken, usedUp]).toEqual([5, 4]);
});
