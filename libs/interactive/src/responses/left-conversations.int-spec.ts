import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { BUTTON, InteractiveHarness } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const REFUSED = [403, 'bot_not_in_conversation', 'bot not in conversation'];
const WHISPER = { ephemeral_text: 'Only you' };

let harness: InteractiveHarness;
beforeAll(async () => {
  harness = await InteractiveHarness.start();
});
beforeEach(() => {
  harness.receiver.requests.length = 0;
  harness.answers({ noop: true });
});
afterAll(() => harness?.close());

const messageIn = async (scope: 'public' | 'private', bot: SeededBot): Promise<SeededMessage> =>
  harness.message(bot, { channel: await harness.channel(scope, { id: bot.id, type: 'bot' }) });
const leave = ({ channel }: SeededMessage, { id }: { id: string }) =>
  harness.api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
    channel,
    id,
  ]);
const outcome = ({ status, body }: TestAnswer) => (status === 200 ? 200 : [status, body.code, body.error]);

/** Clicks a button of a bot with a callback. @returns how to answer the click late */
async function clicked(scope: 'public' | 'private') {
  const bot = await harness.calledBack();
  const message = await messageIn(scope, bot);
  expect((await harness.click(message.id)).status).toBe(200);
  const token: string = harness.asked.at(-1).response_token;
  const late = (body: object) =>
    harness.api.call('POST', `/api/v1/bot/responses/${token}`, { token: bot.token, body });
  return { bot, message, late };
}

/** Clicks a button of a polling bot. @returns how to answer the click with `respond` */
async function polled(scope: 'public' | 'private') {
  const bot = await harness.polling();
  const message = await messageIn(scope, bot);
  const id: string = (await harness.click(message.id)).body.interaction_id;
  return { bot, message, respond: (body: object) => harness.respond(bot, id, body) };
}

test('late answers of a bot removed from a private conversation are refused and do not count', async () => {
  const { bot, message, late } = await clicked('private');
  await leave(message, bot);
  const all = [{ update_message: { text: 'x' } }, { delete_message: true }, { send_message: { text: 'x' } }];
  for (const body of [...all, ...all, WHISPER]) expect(outcome(await late(body))).toEqual(REFUSED);
  expect(await harness.stored(message.id)).toMatchObject({ text: 'Deploy?', edited_at: null });
  await harness.api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'bot')`,
    [harness.spaceId, message.channel, bot.id],
  );
  expect(outcome(await late({ update_message: { text: 'Back' } }))).toBe(200);
});

test('a bot that left a public channel can still change its message and answer the person', async () => {
  const { bot, message, late } = await clicked('public');
  await leave(message, bot);
  for (const body of [{ update_message: { text: 'x' } }, WHISPER, { delete_message: true }])
    expect(outcome(await late(body))).toBe(200);
});

test('a person who left gets no late ephemeral text, while other answers still work', async () => {
  for (const scope of ['public', 'private'] as const) {
    const { message, late } = await clicked(scope);
    await leave(message, harness.person);
    for (const whisper of [WHISPER, { ...WHISPER, metadata_json: '{"version":1}' }])
      expect(outcome(await late(whisper))).toEqual(REFUSED);
    for (const body of [{ update_message: { text: 'x' } }, { send_message: { text: 'x' } }])
      expect(outcome(await late(body))).toBe(200);
  }
});

test('an ephemeral message shown to a person who left cannot be changed late', async () => {
  const { bot, message } = await clicked('private');
  const metadata_json = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [BUTTON] }] });
  harness.answers({ ephemeral_text: 'Sure?', metadata_json });
  const { body: shown } = await harness.click(message.id, { action_id: 'stage', selected_value: 'test' });
  harness.answers({ noop: true });
  const signed_token = JSON.parse(shown.metadata_json).blocks[0].elements[0].signed_token;
  await harness.click(shown.message_id, { signed_token });
  const update = () =>
    harness.api.call('POST', `/api/v1/bot/responses/${harness.asked.at(-1).response_token}`, {
      token: bot.token,
      body: { update_message: { text: 'Sure' } },
    });
  expect(outcome(await update())).toBe(200);
  await leave(message, harness.person);
  expect(outcome(await update())).toEqual(REFUSED);
});

describe('respond', () => {
  test('gets 403 for a bot removed from a private conversation, except for noop', async () => {
    const { bot, message, respond } = await polled('private');
    await leave(message, bot);
    for (const body of [{ update_message: { text: 'x' } }, WHISPER, { open_modal: { title: 'Why?' } }])
      expect(outcome(await respond(body))).toEqual(REFUSED);
    expect(outcome(await respond({ noop: true }))).toBe(200);
  });

  test('sends nothing to people who left', async () => {
    const { message, respond } = await polled('public');
    await leave(message, harness.person);
    expect(outcome(await respond(WHISPER))).toEqual(REFUSED);
    expect(outcome(await respond({ update_message: { text: 'x' } }))).toBe(200);
  });
});
