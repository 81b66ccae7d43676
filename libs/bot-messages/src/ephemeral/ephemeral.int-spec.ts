import type { SeededBot } from '@tieline/bots/testing';
import { ClientStreamModule } from '@tieline/live-stream';
import { BUTTON, InteractiveHarness } from '@tieline/interactive/testing';
import type { CalledBack } from '@tieline/interactive/testing';
import type { SeededPerson, TestAnswer } from '@tieline/spaces/testing';
import { EventStreamClient } from '@tieline/testing';
import { withinOneWindow } from '@tieline/rate-limit/testing';
import { uuidv7 } from 'uuidv7';
import { BotMessagesModule } from '../bot-messages.module.js';

const PER_SECOND = 20;
const METADATA = JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [BUTTON] }] });

type Fields = Record<string, any>;

let rig: InteractiveHarness;
let bot: CalledBack;
let channel: string;
let streams: EventStreamClient[];

beforeAll(async () => {
  rig = await InteractiveHarness.start({ RATE_BOT_MESSAGES_PER_SECOND: String(PER_SECOND) }, [
    ClientStreamModule,
    BotMessagesModule,
  ]);
});
beforeEach(async () => {
  streams = [];
  rig.receiver.requests.length = 0;
  rig.receiver.respond(200);
  bot = await rig.calledBack();
  channel = await rig.channel('private', { id: bot.id, type: 'bot' });
});
afterEach(() => streams.forEach((stream) => stream.close()));
afterAll(() => rig?.close());

function send(
  body: Fields = {},
  { by = bot, key }: { by?: SeededBot; key?: string } = {},
): Promise<TestAnswer> {
  return rig.api.call('POST', '/api/v1/bot/messages/ephemeral', {
    token: by.token,
    body: { conversation_id: channel, user_id: rig.person.id, content: 'psst', ...body },
    headers: key === undefined ? undefined : { 'idempotency-key': key },
  });
}

async function open(person: SeededPerson = rig.person): Promise<EventStreamClient> {
  const stream = await EventStreamClient.open(`${rig.api.url}/api/v1/client/stream`, person.token);
  streams.push(stream);
  return stream;
}

const ephemerals = ({ events }: EventStreamClient): Fields[] =>
  events.filter(({ event }) => event === 'ephemeral');
const shown = async (stream: EventStreamClient, count = 1): Promise<Fields[]> => {
  await stream.until(() => ephemerals(stream).length === count);
  return ephemerals(stream);
};
const tokenIn = (event: Fields): string => JSON.parse(event.metadata_json).blocks[0].elements[0].signed_token;
const kept = (id: string) => rig.api.db.query('SELECT 1 FROM ephemeral_messages WHERE id = $1', [id]);
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body.result];

/**
 * Sends a message with a button.
 * @returns what the person receives
 */
async function withButton(by: SeededBot = bot): Promise<{ stream: EventStreamClient; event: Fields }> {
  const stream = await open();
  expect((await send({ metadata_json: METADATA }, { by })).status).toBe(200);
  const [event] = await shown(stream);
  return { stream, event: event as Fields };
}

const click = (event: Fields, as: SeededPerson = rig.person): Promise<TestAnswer> =>
  rig.click(event.message_id, { as, signed_token: tokenIn(event) });

test('is shown on every stream of that member, to no one else, and is not in history', async () => {
  const ben = await rig.fixture.space.person('member');
  channel = await rig.channel('public', { id: bot.id, type: 'bot' }, { id: ben.id, type: 'user' });
  const [first, second, bens] = [await open(), await open(), await open(ben)];
  const { status, body } = await send({ content: ' **psst** ' });
  expect([status, body]).toEqual([200, { ok: true, message_id: expect.any(String) }]);
  const event = {
    event: 'ephemeral',
    conversation_id: channel,
    message_id: body.message_id,
    bot_id: bot.id,
    text: ' **psst** ',
  };
  for (const stream of [first, second]) expect(await shown(stream)).toEqual([event]);
  await rig.fixture.chat.post(channel, { id: bot.id, type: 'bot' }, 'for all');
  await send({ user_id: ben.id });
  expect(await shown(bens)).toMatchObject([{ text: 'psst' }]);
  const { body: history } = await rig.api.call('GET', `/api/v1/channels/${channel}/messages`, {
    token: rig.person.token,
  });
  expect(history.messages.map(({ text }: Fields) => text)).toEqual(['for all']);
  expect(await rig.directEvents()).toEqual([]);
  expect(await kept(body.message_id)).toEqual([]);
});

describe('its buttons', () => {
  test('of feedback remember the choice for as long as the message is stored', async () => {
    const element = { type: 'feedback_buttons', action_id: 'good', positive: { text: 'Good' } };
    const metadata = { version: 1, blocks: [{ type: 'context_actions', elements: [element] }] };
    const stream = await open();
    await send({ metadata_json: JSON.stringify(metadata) });
    const [event] = (await shown(stream)) as [Fields];
    const press = async (feedback: string) => {
      const given = { action_id: 'good', feedback, signed_token: tokenIn(event) };
      return (await rig.click(event.message_id, given)).body.result;
    };
    const results = [];
    for (const choice of ['positive', 'positive', 'none', 'positive']) results.push(await press(choice));
    expect(results).toEqual(['noop', 'duplicate', 'noop', 'noop']);
    expect(rig.asked.map(({ feedback }) => feedback)).toEqual(['positive', 'none', 'positive']);
    const rows = 'SELECT 1 FROM message_feedback WHERE message_id = $1';
    expect(await rig.api.db.query(rows, [event.message_id])).toEqual([]);
  });

  test('work for that person, and the bot receives the click', async () => {
    const { event } = await withButton();
    expect(JSON.parse(event.metadata_json).blocks[0].elements[0]).toMatchObject(BUTTON);
    rig.answers({ ephemeral_text: 'Noted' });
    expect((await click(event)).body).toEqual({ ok: true, result: 'ephemeral', ephemeral_text: 'Noted' });
    expect(rig.asked).toMatchObject([
      {
        event_type: 'button.click',
        message_id: event.message_id,
        conversation_id: channel,
        actor_user_id: rig.person.id,
        data: BUTTON.data,
      },
    ]);
  });

  test('send chosen values completely', async () => {
    const options = ['a', 'b', 'c'].map((value) => ({ value, label: value }));
    const element = { type: 'checkboxes', action_id: 'tasks', options, initial: ['a'], confirm: {} };
    const metadata = { version: 1, blocks: [{ type: 'actions', elements: [element] }] };
    const stream = await open();
    await send({ metadata_json: JSON.stringify(metadata) });
    const [event] = (await shown(stream)) as [Fields];
    const body = { action_id: 'tasks', signed_token: tokenIn(event), selected_values: ['c', 'b'] };
    expect(outcome(await rig.click(event.message_id, body))).toEqual([200, 'noop']);
    expect(rig.asked).toMatchObject([{ event_type: 'select.submit', selected_values: ['c', 'b'] }]);
  });

  test('do not work for others, even with the token', async () => {
    const ben = await rig.fixture.space.person('member');
    channel = await rig.channel('public', { id: bot.id, type: 'bot' }, { id: ben.id, type: 'user' });
    const { event } = await withButton();
    expect(outcome(await click(event, ben))).toEqual([404, 'message_not_found']);
    expect(rig.receiver.requests).toEqual([]);
  });

  test('stop working when the person has left or the token has expired', async () => {
    const { event } = await withButton();
    expect(outcome(await rig.click(event.message_id, { signed_token: 's1.x' }))[0]).toBe(410);
    await rig.api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1 AND member_id = $2', [
      channel,
      rig.person.id,
    ]);
    expect((await click(event)).status).toBe(403);
  });

  test('update_message shows the message again in its place, by callback', async () => {
    const { stream, event } = await withButton();
    rig.answers({ update_message: { text: 'Done', metadata_json: '' } });
    expect((await click(event)).body).toEqual({
      ok: true,
      result: 'update_message',
      message_id: event.message_id,
    });
    const { metadata_json: _, ...rest } = event;
    expect((await shown(stream, 2))[1]).toEqual({ ...rest, text: 'Done' });
    expect(outcome(await click(event))[0]).toBe(410);
  });

  test('get new tokens and a new lifetime when only the text is edited', async () => {
    const stop = { ...BUTTON, action_id: 'stop' };
    const stream = await open();
    const metadata = { version: 1, blocks: [{ type: 'actions', elements: [BUTTON, stop] }] };
    await send({ metadata_json: JSON.stringify(metadata) });
    const [event] = (await shown(stream)) as [Fields];
    const { message_id: id } = event;
    await rig.api.db.query(
      `UPDATE ephemeral_messages SET expires_at = now() + interval '1 minute' WHERE id = $1`,
      [id],
    );
    rig.answers({ update_message: { text: 'Half done' } });
    await click(event);
    const again = (await shown(stream, 2))[1] as Fields;
    const plain = ({ metadata_json: json }: Fields) =>
      json.replaceAll(/"signed_token":"[^"]*"/g, '"signed_token":""');
    expect([again.text, plain(again)]).toEqual(['Half done', plain(event)]);
    const tokens = (of: Fields): string[] =>
      JSON.parse(of.metadata_json).blocks[0].elements.map(({ signed_token: token }: Fields) => token);
    expect(tokens(again).filter((token) => tokens(event).includes(token))).toEqual([]);
    expect(
      await rig.api.db.query(
        `SELECT 1 FROM ephemeral_messages WHERE id = $1 AND expires_at > now() + interval '1 hour'`,
        [id],
      ),
    ).toHaveLength(1);
    const signed_token = tokens(again)[1];
    const body = { action_id: 'stop', signed_token };
    expect(outcome(await rig.click(id, body))).toEqual([200, 'update_message']);
  });

  test('update_message shows it again by respond of a polling bot, and its new buttons work', async () => {
    const polling = await rig.polling();
    channel = await rig.channel('private', { id: polling.id, type: 'bot' });
    const { stream, event } = await withButton(polling);
    const { body } = await click(event);
    expect(body.result).toBe('queued');
    const undo = { ...BUTTON, data: 'undo' };
    const response = await rig.respond(polling, body.interaction_id, {
      update_message: {
        metadata_json: JSON.stringify({ version: 1, blocks: [{ type: 'actions', elements: [undo] }] }),
      },
    });
    expect(response.status).toBe(200);
    const again = (await shown(stream, 2))[1] as Fields;
    expect(again).toMatchObject({ message_id: event.message_id, text: 'psst' });
    expect((await click(again)).body.result).toBe('queued');
  });

  test('require a callback_url or poll mode', async () => {
    const silent = await rig.fixture.bot();
    channel = await rig.channel('private', { id: silent.id, type: 'bot' });
    expect(await send({ metadata_json: METADATA }, { by: silent })).toMatchObject({
      status: 400,
      body: { error: 'interactive blocks need a callback_url or poll mode' },
    });
  });
});

test('a repeat with the same key is one message, shown once; another one gets 409', async () => {
  const stream = await open();
  const first = await send({}, { key: 'k' });
  const second = await send({}, { key: 'k' });
  expect(second.body).toEqual(first.body);
  expect((await send({ content: 'other' }, { key: 'k' })).status).toBe(409);
  const plain = await rig.api.call('POST', '/api/v1/bot/messages', {
    token: bot.token,
    body: { conversation_id: channel, content: 'psst' },
    headers: { 'idempotency-key': 'k' },
  });
  // Another operation has its own keys.
  expect(plain.status).toBe(200);
  await send({ content: 'last' });
  expect((await shown(stream, 2)).map(({ text }) => text)).toEqual(['psst', 'last']);
});

test('requires membership of the bot and of the person, in a conversation that is not archived', async () => {
  const ben = await rig.fixture.space.person('member');
  const elsewhere = await rig.channel('public');
  for (const conversation_id of [elsewhere, uuidv7()])
    expect(outcome(await send({ conversation_id }))).toEqual([403, 'bot_not_in_conversation']);
  for (const user_id of [ben.id, bot.id, uuidv7()])
    expect(await send({ user_id })).toMatchObject({
      status: 400,
      body: { code: 'user_not_member', field: 'user_id' },
    });
  await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect(outcome(await send())).toEqual([403, 'conversation_archived']);
});

test('a deactivated person is no longer a member', async () => {
  await rig.api.db.query('UPDATE users SET is_active = false WHERE id = $1', [rig.person.id]);
  const response = await send();
  await rig.api.db.query('UPDATE users SET is_active = true WHERE id = $1', [rig.person.id]);
  expect(outcome(response)).toEqual([400, 'user_not_member']);
});

test.each([
  [{ conversation_id: undefined }, 'conversation_id is required'],
  [{ user_id: undefined }, 'user_id is required'],
  [{ user_id: 'x' }, 'user_id must be a uuid'],
  [{ content: ' ' }, 'content is required'],
  [{ content: 'x'.repeat(4001) }, 'content too long (max 4000 chars)'],
])('%j gets 400 %s', async (body, error) => {
  expect(await send(body)).toMatchObject({ status: 400, body: { error } });
});

test("shares the rate of the conversation's messages", async () => {
  const responses = await withinOneWindow(rig.api, async () => {
    bot = await rig.calledBack();
    channel = await rig.channel('private', { id: bot.id, type: 'bot' });
    return Promise.all(Array.from({ length: PER_SECOND + 2 }, () => send()));
  });
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(2);
});
