import { ClientStreamModule } from '@tieline/live-stream';
import { BOTS_WORKER, SocketClient } from '@tieline/bots/testing';
import { EventStreamClient } from '@tieline/testing';
import { SlashHarness } from '../../testing/slash-harness.js';
import type { SeededCommand } from '../../testing/slash-harness.js';

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
const open: { close(): void }[] = [];

async function connect(): Promise<SocketClient> {
  const client = await SocketClient.open(harness.api.url, command.bot.token);
  open.push(client);
  return client;
}

const answering = async (answer: unknown): Promise<SocketClient> =>
  (await connect()).acknowledgeAll(() => answer);
const invoke = (): ReturnType<SlashHarness['invoke']> => harness.invoke(channel, `/${command.name} now`);

async function stream(): Promise<EventStreamClient> {
  const client = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
  open.push(client);
  return client;
}

beforeAll(async () => {
  harness = await SlashHarness.start({ SOCKET_ACK_SECONDS: '60' }, [ClientStreamModule, ...BOTS_WORKER]);
});
afterAll(() => harness?.close());
beforeEach(async () => {
  command = await harness.polledCommand();
  channel = await harness.channel(command.bot);
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

test('a command arrives like its poll record, and an in_channel answer is posted and returned', async () => {
  const socket = await answering({ response_type: 'in_channel', text: 'Deployed' });
  const { body } = await invoke();
  expect(body).toMatchObject({ result: 'in_channel', text: 'Deployed', message_id: expect.any(String) });
  expect(socket.envelopes[0]).toMatchObject({
    type: 'command',
    attempt: 1,
    payload: { trigger_id: body.trigger_id, command: command.name, text: 'now', user_id: harness.person.id },
  });
  expect((await harness.messages(channel)).map(({ text }) => text)).toEqual(['Deployed']);
});

test('ephemeral text, a modal, and nothing', async () => {
  let answer: unknown = { response_type: 'ephemeral', text: 'For you' };
  (await connect()).acknowledgeAll(() => answer);
  expect((await invoke()).body).toMatchObject({ result: 'ephemeral', text: 'For you' });
  answer = { open_modal: { title: 'Which?' } };
  expect((await invoke()).body).toMatchObject({
    result: 'open_modal',
    modal: { title: 'Which?' },
    modal_token: expect.any(String),
  });
  answer = {};
  const begun = Date.now();
  expect((await invoke()).body.result).toBe('ack');
  answer = undefined;
  expect((await invoke()).body.result).toBe('ack');
  // People wait for a minute in these tests.
  expect(Date.now() - begun).toBeLessThan(20_000);
});

test.each([
  ['a bad field', { response_type: 'loud', text: 'x' }],
  ['an empty list instead of an object', []],
])('after an invalid answer (%s) the person and the bot get an error', async (_, answer) => {
  const socket = await answering(answer);
  expect((await invoke()).body).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
  await socket.until(({ messages }) => messages.some(({ type }) => type === 'error'));
});

test('after three seconds the result is ack, and later answers arrive on the stream', async () => {
  const [socket, shown] = [await connect(), await stream()];
  const [first, second] = await harness.timeouts.during({ waitMs: undefined }, () =>
    Promise.all([invoke(), invoke()]),
  );
  expect([first.body.result, second.body.result]).toEqual(['ack', 'ack']);
  const [one, two] = socket.envelopes;
  socket.acknowledge(one?.envelope_id, { response_type: 'ephemeral', text: 'Finally' });
  socket.acknowledge(two?.envelope_id, { open_modal: { title: 'Late' } });
  await shown.until(({ events }) =>
    ['ephemeral', 'modal.open'].every((kind) => events.some(({ event }) => event === kind)),
  );
  expect(shown.events).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ event: 'ephemeral', text: 'Finally', bot_id: command.bot.id }),
      expect.objectContaining({
        event: 'modal.open',
        modal: { title: 'Late' },
        modal_token: expect.any(String),
      }),
    ]),
  );
});

test('an ephemeral answer with metadata is returned immediately, or arrives late on the stream', async () => {
  const metadata_json = '{"blocks":[{"type":"divider"}]}';
  const answer = { text: 'Look', metadata_json };
  const [socket, shown] = [await connect(), await stream()];
  const waiting = invoke();
  socket.acknowledge((await socket.got(1)).envelope_id, answer);
  expect((await waiting).body).toMatchObject({
    ...{ result: 'ephemeral', text: 'Look', metadata_json, message_id: expect.any(String) },
  });
  const late = await harness.timeouts.during({ waitMs: undefined }, invoke);
  expect(late.body.result).toBe('ack');
  socket.acknowledge((await socket.got(2)).envelope_id, answer);
  await shown.until(({ events }) => events.some(({ event }) => event === 'ephemeral'));
  expect(shown.events.find(({ event }) => event === 'ephemeral')).toMatchObject({
    text: 'Look',
    metadata_json,
  });
});

test('the acknowledgement answers a request for choices', async () => {
  await harness.manage('PATCH', command.bot, {
    name: command.id,
    body: { options: [{ name: 'build', description: 'which', type: 'string', autocomplete: true }] },
  });
  const socket = await answering({ choices: [{ name: 'api v1', value: 'v1' }] });
  const { body } = await harness.api.call(
    'POST',
    `/api/v1/client/conversations/${channel}/commands/options`,
    {
      token: harness.person.token,
      body: { command: command.name, option: 'build', typed: 'a' },
    },
  );
  expect(body).toMatchObject({ choices: [{ name: 'api v1', value: 'v1' }] });
  expect(socket.envelopes[0]).toMatchObject({
    type: 'options',
    payload: { event_type: 'command.options', typed: 'a' },
  });
});
