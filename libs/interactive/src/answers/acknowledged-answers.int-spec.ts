import { ClientStreamModule } from '@tieline/live-stream';
import { BOTS_WORKER, SocketClient } from '@tieline/bots/testing';
import type { SeededBot } from '@tieline/bots/testing';
import { EventStreamClient, eventually, readRows } from '@tieline/testing';
import { InteractiveHarness } from '../testing/interactive-harness.js';
import type { SeededMessage } from '../testing/interactive-harness.js';

/** A person waits for a minute in these tests. */
const BEFORE_THE_END_MS = 20_000;

let harness: InteractiveHarness;
/** Another process that holds the sockets; clicks arrive at the first one. */
let url: string;
let bot: SeededBot;
let message: SeededMessage;
const open: { close(): void }[] = [];

async function connect(): Promise<SocketClient> {
  const client = await SocketClient.open(url, bot.token);
  open.push(client);
  return client;
}

/** Opens a socket whose bot gives this answer to every event. */
const answering = async (answer: unknown): Promise<SocketClient> =>
  (await connect()).acknowledgeAll(() => answer);

async function stream(): Promise<EventStreamClient> {
  const client = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
  open.push(client);
  return client;
}

beforeAll(async () => {
  harness = await InteractiveHarness.start({ SOCKET_ACK_SECONDS: '60' }, [
    ClientStreamModule,
    ...BOTS_WORKER,
  ]);
  ({ url } = await harness.anotherApi());
});
afterAll(() => harness?.close());
beforeEach(async () => {
  bot = await harness.polling();
  message = await harness.message(bot);
});
afterEach(() => {
  for (const client of open.splice(0)) client.close();
});

test('a click gets the answer from the acknowledgement, like from a callback', async () => {
  const socket = await answering({ ephemeral_text: 'Thanks' });
  const clicked = await harness.click(message.id);
  expect(clicked).toMatchObject({ status: 200, body: { result: 'ephemeral', ephemeral_text: 'Thanks' } });
  expect(socket.envelopes[0]).toEqual({
    type: 'interaction',
    envelope_id: expect.any(String),
    attempt: 1,
    payload: expect.objectContaining({
      event_type: 'button.click',
      action_id: 'go',
      actor_user_id: harness.person.id,
      interaction_id: expect.any(String),
      response_token: expect.any(String),
    }),
  });
  const left = await readRows(harness.api.db, 'SELECT 1 FROM answer_waits');
  expect(left).toEqual([]);
});

test('update_message, send_message and {} are applied once, and a second click is a duplicate', async () => {
  await answering({ update_message: { text: 'Deployed' } });
  expect((await harness.click(message.id)).body).toMatchObject({
    result: 'update_message',
    message_id: message.id,
  });
  expect((await harness.stored(message.id))?.text).toBe('Deployed');
  expect((await harness.click(message.id)).body.result).toBe('duplicate');
});

test('{} is noop, and an acknowledgement without an answer leaves the click queued immediately', async () => {
  const socket = await connect();
  socket.acknowledgeAll(({ payload }) => (payload.action_id === 'go' ? {} : undefined));
  expect((await harness.click(message.id)).body.result).toBe('noop');
  const begun = Date.now();
  const queued = await harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  expect(queued.body).toMatchObject({ result: 'queued', interaction_id: expect.any(String) });
  expect(Date.now() - begun).toBeLessThan(BEFORE_THE_END_MS);
  expect((await harness.respond(bot, queued.body.interaction_id, { noop: true })).status).toBe(200);
});

test('`later` returns immediately, and the click is sent again until it is acknowledged', async () => {
  const socket = await connect();
  const begun = Date.now();
  const clicking = harness.click(message.id);
  const { envelope_id: id } = await socket.got(1);
  socket.later(id, { ephemeral_text: 'Working on it' });
  expect((await clicking).body).toMatchObject({ result: 'ephemeral', ephemeral_text: 'Working on it' });
  const choosing = harness.click(message.id, { action_id: 'stage', selected_value: 'live' });
  const { envelope_id: second } = await socket.got(2);
  socket.later(second);
  expect((await choosing).body).toMatchObject({ result: 'queued' });
  expect(Date.now() - begun).toBeLessThan(BEFORE_THE_END_MS);
  socket.ws.terminate();
  const next = await connect();
  await next.got(2);
  // An answered click is not answered again.
  next.later(id, { ephemeral_text: 'Again' });
  await next.until(({ messages }) => messages.some(({ type }) => type === 'told'));
  expect(next.messages.filter(({ type }) => type === 'error')).toEqual([]);
  for (const one of [id, second]) next.acknowledge(one);
  await eventually(async () =>
    expect(await readRows(harness.api.db, 'SELECT 1 FROM socket_envelopes')).toEqual([]),
  );
});

test('a modal opens immediately, and its submission is answered too', async () => {
  const socket = await connect();
  socket.acknowledgeAll(({ payload }) =>
    payload.event_type === 'modal.submit' ? { ephemeral_text: 'Noted' } : { open_modal: { title: 'Why?' } },
  );
  const { body } = await harness.click(message.id);
  expect(body).toMatchObject({ result: 'open_modal', modal: { title: 'Why?' } });
  expect((await harness.submit(body.modal_token, { why: 'x' })).body).toMatchObject({
    result: 'ephemeral',
    ephemeral_text: 'Noted',
  });
  expect((await harness.submit(body.modal_token)).status).toBe(410);
});

test.each([
  ['an unknown field', { something: 1 }],
  ['no object', 'yes'],
  ['two answers', { noop: true, ephemeral_text: 'x' }],
])(
  'an invalid answer (%s) gives the bot an error envelope and the person 503, and the person can click again',
  async (_, bad) => {
    let answer: unknown = bad;
    const socket = await connect();
    socket.acknowledgeAll(() => answer);
    const refused = await harness.click(message.id);
    expect(refused).toMatchObject({
      status: 503,
      body: { error: 'the bot "Robot" sent an answer that Tieline could not read' },
    });
    await socket.until(({ messages }) => messages.some(({ type }) => type === 'error'));
    expect(socket.messages.find(({ type }) => type === 'error')).toEqual({
      type: 'error',
      envelope_id: socket.envelopes[0]?.envelope_id,
      code: expect.any(String),
      error: expect.any(String),
    });
    answer = { noop: true };
    expect((await harness.click(message.id)).body.result).toBe('noop');
  },
);

test('a second submission of a validated modal gets 409 while the first waits for the socket', async () => {
  const fields = [{ id: 'why', type: 'text', label: 'Why' }];
  const socket = await connect();
  const opening = harness.click(message.id);
  socket.acknowledge((await socket.got(1)).envelope_id, {
    open_modal: { validate: true, title: 'Why?', fields },
  });
  const token: string = (await opening).body.modal_token;
  const first = harness.submit(token, { why: 'x' });
  const { envelope_id: id } = await socket.got(2);
  expect(await harness.submit(token, { why: 'y' })).toMatchObject({
    status: 409,
    body: { code: 'modal_awaits_answer' },
  });
  socket.acknowledge(id, {});
  expect((await first).body.result).toBe('noop');
  expect((await harness.submit(token)).status).toBe(410);
});

test('an invalid answer to a submission leaves the modal unchanged', async () => {
  let answer: unknown = { open_modal: { title: 'Why?' } };
  (await connect()).acknowledgeAll(() => answer);
  const { body } = await harness.click(message.id);
  answer = { nonsense: true };
  expect((await harness.submit(body.modal_token)).status).toBe(503);
  answer = { noop: true };
  expect((await harness.submit(body.modal_token)).body.result).toBe('noop');
});

test('errors keep the modal open over a socket too', async () => {
  let answer: unknown = { open_modal: { title: 'Why?' } };
  (await connect()).acknowledgeAll(() => answer);
  const { body } = await harness.click(message.id);
  answer = { errors: { why: 'too short' } };
  expect((await harness.submit(body.modal_token)).body).toMatchObject({
    result: 'errors',
    errors: { why: 'too short' },
  });
  answer = { noop: true };
  expect((await harness.submit(body.modal_token)).body.result).toBe('noop');
  expect((await harness.submit(body.modal_token)).status).toBe(410);
});

test('a click is queued after three seconds, and a later answer arrives on the stream', async () => {
  const socket = await connect();
  const shown = await stream();
  const begun = Date.now();
  const { body } = await harness.timeouts.during({ waitMs: undefined }, () => harness.click(message.id));
  expect(body.result).toBe('queued');
  expect(Date.now() - begun).toBeGreaterThanOrEqual(2900);
  expect(Date.now() - begun).toBeLessThan(BEFORE_THE_END_MS);
  socket.acknowledge(socket.envelopes[0]?.envelope_id, { ephemeral_text: 'Finally' });
  await shown.until(({ events }) => events.some(({ text }) => text === 'Finally'));
  expect((await harness.respond(bot, body.interaction_id, { noop: true })).status).toBe(410);
});

test('a repeated acknowledgement with another answer has no effect', async () => {
  const socket = await connect();
  const clicking = harness.click(message.id);
  const { envelope_id: id } = await socket.got(1);
  socket.acknowledge(id, { ephemeral_text: 'first' });
  socket.acknowledge(id, { ephemeral_text: 'second' });
  expect((await clicking).body.ephemeral_text).toBe('first');
  socket.acknowledge(id, { nonsense: true });
  await socket.until(() => true);
  expect(socket.messages.filter(({ type }) => type === 'error')).toEqual([]);
});

/** Returns the only `error` envelope that the bot received. */
async function refusalOf(socket: SocketClient): Promise<unknown> {
  await socket.until(({ messages }) => messages.some(({ type }) => type === 'error'));
  return socket.messages.filter(({ type }) => type === 'error').map(({ code }) => code as unknown);
}

test('an acknowledged answer is refused after `respond` has answered the click, and the person keeps `queued`', async () => {
  const socket = await connect();
  const clicking = harness.click(message.id);
  const { envelope_id: id, payload } = await socket.got(1);
  expect(
    (await harness.respond(bot, payload.interaction_id, { send_message: { text: 'paid' } })).status,
  ).toBe(200);
  socket.acknowledge(id, { send_message: { text: 'paid twice' } });
  expect((await clicking).body).toMatchObject({ result: 'queued', interaction_id: payload.interaction_id });
  expect(await refusalOf(socket)).toEqual(['interaction_answered']);
  expect((await harness.click(message.id)).body.result).toBe('duplicate');
});

test('an acknowledged answer is refused after `respond` has answered the modal, and nothing runs twice', async () => {
  let answer: unknown = { open_modal: { title: 'Pay?' } };
  const opening = (await connect()).acknowledgeAll(() => answer);
  const { body } = await harness.click(message.id);
  opening.close();
  const socket = await connect();
  const submitting = harness.submit(body.modal_token);
  const { envelope_id: id, payload } = await socket.got(1);
  await harness.respond(bot, payload.interaction_id, { send_message: { text: 'paid' } });
  socket.acknowledge(id, (answer = {}));
  expect((await submitting).body).toMatchObject({ result: 'queued' });
  expect(await refusalOf(socket)).toEqual(['interaction_answered']);
  expect(await harness.submit(body.modal_token)).toMatchObject({ status: 410, body: { code: 'modal_gone' } });
  const paid = await readRows<{ text: string }>(
    harness.api.db,
    'SELECT text FROM messages WHERE conversation_id = $1 ORDER BY id',
    [message.channel],
  );
  expect(paid.map(({ text }) => text)).toEqual(['Deploy?', 'paid']);
});

test('an invalid acknowledgement after a valid `respond` leaves the submission queued and its modal used', async () => {
  let answer: unknown = { open_modal: { title: 'Pay?' } };
  const opening = (await connect()).acknowledgeAll(() => answer);
  const { body } = await harness.click(message.id);
  opening.close();
  const socket = await connect();
  const submitting = harness.submit(body.modal_token);
  const { envelope_id: id, payload } = await socket.got(1);
  expect((await harness.respond(bot, payload.interaction_id, { noop: true })).status).toBe(200);
  socket.acknowledge(id, (answer = 'no object'));
  expect((await submitting).body).toMatchObject({
    result: 'queued',
    interaction_id: payload.interaction_id,
  });
  expect(await harness.submit(body.modal_token)).toMatchObject({ status: 410, body: { code: 'modal_gone' } });
});

test('an answer that changes a deleted message is refused over the socket too, and the person gets the error', async () => {
  const socket = await connect();
  const clicking = harness.click(message.id);
  const { envelope_id: id } = await socket.got(1);
  await harness.api.db.query('UPDATE messages SET deleted_at = now() WHERE id = $1', [message.id]);
  socket.acknowledge(id, { update_message: { text: 'x' } });
  expect((await clicking).status).toBe(503);
  expect(await refusalOf(socket)).toEqual(['message_deleted']);
});

test('a click overtakes waiting events', async () => {
  await harness.fixture.admin('PATCH', `/bots/${bot.id}`, { event_types: ['MESSAGE_CREATED'] });
  const socket = await connect();
  const { person } = harness;
  for (const text of ['a', 'b', 'c'])
    await harness.fixture.chat.post(message.channel, { id: person.id, type: 'user' }, text);
  await socket.until(({ envelopes }) => envelopes.length === 1);
  const clicking = harness.click(message.id);
  const click = await socket.got(2);
  expect(click.type).toBe('interaction');
  socket.acknowledge(click.envelope_id, { noop: true });
  expect((await clicking).body.result).toBe('noop');
});

test('another socket answers a click whose socket has closed', async () => {
  const dying = await connect();
  const clicking = harness.click(message.id);
  await dying.got(1);
  const next = await answering({ ephemeral_text: 'I am here' });
  dying.ws.terminate();
  expect((await clicking).body.ephemeral_text).toBe('I am here');
  expect(next.envelopes[0]).toMatchObject({ attempt: 2 });
});

test('a click is queued immediately when no socket is open', async () => {
  const socket = await connect();
  socket.close();
  await eventually(async () =>
    expect(await readRows(harness.api.db, 'SELECT 1 FROM bot_sockets')).toEqual([]),
  );
  const begun = Date.now();
  expect((await harness.click(message.id)).body.result).toBe('queued');
  expect(Date.now() - begun).toBeLessThan(BEFORE_THE_END_MS);
});
