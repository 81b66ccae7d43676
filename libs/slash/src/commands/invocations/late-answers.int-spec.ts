import { ClientStreamModule } from '@tieline/live-stream';
import { InteractiveModule } from '@tieline/interactive';
import { EventStreamClient } from '@tieline/testing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule, ClientStreamModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond(200);
  command = await harness.command();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

/** Runs the command. @returns the response token that the bot received */
async function invoked(more: Parameters<SlashHarness['invoke']>[2] = {}): Promise<string> {
  expect((await harness.invoke(channel, `/${command.name}`, more)).status).toBe(200);
  return JSON.parse(harness.receiver.requests.at(-1)!.body.toString()).response_token as string;
}
const respond = (token: string, body: unknown): Promise<TestAnswer> =>
  harness.api.call('POST', `/api/v1/bot/responses/${token}`, { token: command.bot.token, body });
const outcome = ({ status, body }: TestAnswer) => [status, body.code ?? body];
const texts = async (threadId?: string): Promise<string[]> =>
  (await harness.messages(channel, threadId)).map(({ text }) => text);

test('a bot that is not a member can answer late, and its first message becomes the original', async () => {
  const token = await invoked();
  expect(outcome(await respond(token, { update_message: { text: 'x' } }))).toEqual([400, 'no_original']);
  expect(outcome(await respond(token, { delete_message: true }))).toEqual([400, 'no_original']);
  const first = (await respond(token, { send_message: { text: 'Working' } })).body.message_id;
  await respond(token, { send_message: { text: 'Second' } });
  expect((await respond(token, { update_message: { text: 'Done' } })).status).toBe(200);
  expect(await texts()).toEqual(['Done', 'Second']);
  await respond(token, { delete_message: true });
  expect(await harness.messages(channel)).toMatchObject([
    { id: first, deleted_at: expect.any(String) },
    { text: 'Second' },
  ]);
});

test('a synchronous answer becomes the original too', async () => {
  harness.receiver.respond({ status: 200, body: { response_type: 'in_channel', text: 'Working' } });
  const token = await invoked();
  await respond(token, { send_message: { text: 'Second' } });
  await respond(token, { update_message: { text: 'Done' } });
  expect(await texts()).toEqual(['Done', 'Second']);
});

test('a late answer leaves the trigger unused', async () => {
  const token = await invoked();
  await respond(token, { send_message: { text: 'Late' } });
  const used = 'SELECT 1 FROM slash_triggers WHERE bot_id = $1 AND used_at IS NOT NULL';
  expect(await harness.api.db.query(used, [command.bot.id])).toHaveLength(0);
});

test('a command in a thread is answered there', async () => {
  const root = await harness.fixture.chat.post(channel, { id: harness.person.id, type: 'user' }, 'root');
  const token = await invoked({ thread_id: root.messageId });
  await respond(token, { send_message: { text: 'In the thread' } });
  expect(await texts(root.messageId)).toEqual(['In the thread']);
});

test('ephemeral_text names no message before the command has posted one', async () => {
  const token = await invoked();
  const stream = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
  await respond(token, { ephemeral_text: 'Only you' });
  await stream.until(({ events }) => events.some(({ event }) => event === 'ephemeral'));
  expect(stream.events.find(({ event }) => event === 'ephemeral')).toEqual({
    event: 'ephemeral',
    conversation_id: channel,
    bot_id: command.bot.id,
    text: 'Only you',
  });
  stream.close();
});

test('the bot needs no membership in a private conversation either, and people who left get nothing', async () => {
  channel = await harness.fixture.chat.conversation({
    scope: 'private',
    members: [{ id: harness.person.id, type: 'user' }],
  });
  const token = await invoked();
  expect((await respond(token, { send_message: { text: 'Working' } })).status).toBe(200);
  expect((await respond(token, { ephemeral_text: 'Only you' })).status).toBe(200);
  await harness.api.db.query('DELETE FROM conversation_members WHERE conversation_id = $1', [channel]);
  expect(outcome(await respond(token, { ephemeral_text: 'Only you' }))).toEqual([
    403,
    'bot_not_in_conversation',
  ]);
  expect((await respond(token, { update_message: { text: 'Done' } })).status).toBe(200);
});

test('a polled command has a token too', async () => {
  command = await harness.polledCommand();
  await harness.invoke(channel, `/${command.name}`);
  const [event] = (await harness.fixture.chat.events())
    .filter(({ type }) => type === 'bot.direct_event')
    .slice(-1);
  const { response_token: token } = JSON.parse((event!.payload as { payload_json: string }).payload_json);
  expect((await respond(token as string, { send_message: { text: 'Polled' } })).status).toBe(200);
  expect(await texts()).toEqual(['Polled']);
});

test('a late answer in an archived conversation gets 403', async () => {
  const token = await invoked();
  await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect(outcome(await respond(token, { send_message: { text: 'x' } }))).toEqual([
    403,
    'conversation_archived',
  ]);
});
