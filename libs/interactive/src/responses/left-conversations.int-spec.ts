import type { SeededBot } from '@tieline/bots/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { BUTTON, InteractiveRig } from '../testing/index.js';
import type { SeededMessage } from '../testing/index.js';

const REFUSED = [403, 'bot_not_in_conversation', 'bot not in conversation'];
const WHISPER = { ephemeral_text: 'Only you' };

let rig: InteractiveRig;
beforeAll(async () => {
  rig = await InteractiveRig.start();
});
beforeEach(() => {
  rig.receiver.requests.length = 0;
  rig.answers({ noop: true });
});
afterAll(() => rig?.close());

const messageIn = async (scope: 'public' | 'private', bot: SeededBot): Promise<SeededMessage> =>
  rig.message(bot, { channel: await rig.channel(scope, { id: bot.id, type: 'bot' }) });
const leave = ({ channel }: SeededMessage, { id }: { id: string }) =>
  rig.api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
    channel,
    id,
  ]);
const outcome = ({ status, body }: TestAnswer) => (status === 200 ? 200 : [status, body.code, body.error]);

/** Clicks a button of a bot that is called back. @returns what answers the click late */
async function clicked(scope: 'public' | 'private') {
  const bot = await rig.calledBack();
  const message = await messageIn(scope, bot);
  expect((await rig.click(message.id)).status).toBe(200);
  const token: string = rig.asked.at(-1).response_token;
  const late = (body: object) =>
    rig.api.call('POST', `/api/v1/bot/responses/${token}`, { token: bot.token, body });
  return { bot, message, late };
}

/** The same of a bot that polls. @returns what answers the click by `respond` */
async function polled(scope: 'public' | 'private') {
  const bot = await rig.polling();
  const message = await messageIn(scope, bot);
  const id: string = (await rig.click(message.id)).body.interaction_id;
  return { bot, message, respond: (body: object) => rig.respond(bot, id, body) };
}

test('a bot that was removed from a private conversation answers nothing late, which uses nothing up', async () => {
  const { bot, message, late } = await clicked('private');
  await leave(message, bot);
  const all = [{ update_message: { text: 'x' } }, { delete_message: true }, { send_message: { text: 'x' } }];
  for (const body of [...all, ...all, WHISPER]) expect(outcome(await late(body))).toEqual(REFUSED);
  expect(await rig.stored(message.id)).toMatchObject({ text: 'Deploy?', edited_at: null });
  await rig.api.db.query(
    `INSERT INTO conversation_members (space_id, conversation_id, member_id, member_type) VALUES ($1, $2, $3, 'bot')`,
    [rig.spaceId, message.channel, bot.id],
  );
  expect(outcome(await late({ update_message: { text: 'Back' } }))).toBe(200);
});

test('one that has left a public channel still changes its message and tells the person', async () => {
  const { bot, message, late } = await clicked('public');
  await leave(message, bot);
  for (const body of [{ update_message: { text: 'x' } }, WHISPER, { delete_message: true }])
    expect(outcome(await late(body))).toBe(200);
});

test('who has left the conversation gets no late ephemeral text, and everybody else the answers', async () => {
  for (const scope of ['public', 'private'] as const) {
    const { message, late } = await clicked(scope);
    await leave(message, rig.person);
    for (const whisper of [WHISPER, { ...WHISPER, metadata_json: '{"version":1}' }])
      expect(outcome(await late(whisper))).toEqual(REFUSED);
    for (const body of [{ update_message: { text: 'x' } }, { send_message: { text: 'x' } }])
      expect(outcome(await late(body))).toBe(200);
  }
});

test('nor is an ephemeral message changed late that they were shown', async () => {
  const { bot, message } = await clicked('private');
  const metadata_json = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [BUTTON] }] });
  rig.answers({ ephemeral_text: 'Sure?', metadata_json });
  const { body: shown } = await rig.click(message.id, { action_id: 'stage', selected_value: 'test' });
  rig.answers({ noop: true });
  const signed_token = JSON.parse(shown.metadata_json).blocks[0].elements[0].signed_token;
  await rig.click(shown.message_id, { signed_token });
  const update = () =>
    rig.api.call('POST', `/api/v1/bot/responses/${rig.asked.at(-1).response_token}`, {
      token: bot.token,
      body: { update_message: { text: 'Sure' } },
    });
  expect(outcome(await update())).toBe(200);
  await leave(message, rig.person);
  expect(outcome(await update())).toEqual(REFUSED);
});

describe('respond', () => {
  test('is 403 for a bot that was removed from a private conversation, but for noop', async () => {
    const { bot, message, respond } = await polled('private');
    await leave(message, bot);
    for (const body of [{ update_message: { text: 'x' } }, WHISPER, { open_modal: { title: 'Why?' } }])
      expect(outcome(await respond(body))).toEqual(REFUSED);
    expect(outcome(await respond({ noop: true }))).toBe(200);
  });

  test('tells nothing to who has left', async () => {
    const { message, respond } = await polled('public');
    await leave(message, rig.person);
    expect(outcome(await respond(WHISPER))).toEqual(REFUSED);
    expect(outcome(await respond({ update_message: { text: 'x' } }))).toBe(200);
  });
});
