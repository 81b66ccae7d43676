import { InteractiveModule } from '@tieline/interactive';
import { ClientStreamModule } from '@tieline/live-stream';
import { verifyVersioned } from '@tieline/signing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { EventStreamClient } from '@tieline/testing';
import { SlashHarness } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const MODAL = { title: 'Why now?', fields: [{ id: 'why', type: 'text', label: 'Why' }] };

let harness: SlashHarness;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  harness = await SlashHarness.start({}, [InteractiveModule, ClientStreamModule]);
});
beforeEach(async () => {
  harness.receiver.requests.length = 0;
  harness.receiver.respond({ status: 200, body: { open_modal: MODAL } });
  command = await harness.command();
  channel = await harness.channel();
});
afterAll(() => harness?.close());

const invoke = async (more: Parameters<SlashHarness['invoke']>[2] = {}): Promise<any> =>
  (await harness.invoke(channel, `/${command.name}`, more)).body;
const submit = (token: string, as = harness.person.token): Promise<TestAnswer> =>
  harness.api.call('POST', `/api/v1/client/modals/${token}/submit`, {
    token: as,
    body: { values: { why: 'x' } },
  });
const asked = (): any => JSON.parse(harness.receiver.requests.at(-1)!.body.toString());
const texts = async (): Promise<string[]> => (await harness.messages(channel)).map(({ text }) => text);
const answers = (body: object): void => harness.receiver.respond({ status: 200, body });

test('the submission of a command’s modal goes to the command’s callback, signed with its secret', async () => {
  const opened = await invoke();
  expect(opened).toEqual({
    ok: true,
    result: 'open_modal',
    modal: MODAL,
    modal_token: expect.any(String),
    trigger_id: expect.any(String),
  });
  answers({ send_message: { text: 'Because' } });
  expect((await submit(opened.modal_token)).body).toMatchObject({ result: 'send_message' });
  const payload = asked();
  expect(payload).toEqual({
    event_type: 'modal.submit',
    space_id: harness.fixture.space.spaceId,
    actor_user_id: harness.person.id,
    conversation_id: channel,
    action_id: command.name,
    trigger_id: opened.trigger_id,
    modal_id: expect.any(String),
    values: { why: 'x' },
    occurred_at: expect.any(String),
    response_token: expect.stringMatching(/^tlr_/),
    response_url: expect.any(String),
  });
  const { url, headers, body } = harness.receiver.requests.at(-1)!;
  expect(url).toBe('/slash');
  const signature = String(headers['x-service-signature']);
  expect(verifyVersioned(command.secret, String(headers['x-service-timestamp']), body, signature)).toBe(true);
  expect(await texts()).toEqual(['Because']);
  expect((await submit(opened.modal_token)).status).toBe(410);
});

test('with a callback for clicks the submission goes there', async () => {
  await harness.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: command.bot.token,
    body: { callback_url: `${harness.receiver.url}/clicks` },
  });
  const { modal_token: token } = await invoke();
  answers({ ephemeral_text: 'Noted' });
  expect((await submit(token)).body).toMatchObject({ result: 'ephemeral', ephemeral_text: 'Noted' });
  expect(harness.receiver.requests.at(-1)!.url).toBe('/clicks');
});

test('update_message is invalid without a message, and the form can be submitted again', async () => {
  const { modal_token: token } = await invoke();
  answers({ update_message: { text: 'x' } });
  expect((await submit(token)).status).toBe(503);
  answers({});
  expect((await submit(token)).body.result).toBe('noop');
});

test('a bot that has switched to polling answers through its queue', async () => {
  const { modal_token: token, trigger_id: triggerId } = await invoke();
  await harness.api.call('PATCH', '/api/v1/bot/me', {
    token: command.bot.token,
    body: { event_delivery_mode: 'poll' },
  });
  const { interaction_id: id } = (await submit(token)).body;
  const event = (await harness.fixture.chat.events()).findLast(({ eventId }) => eventId === id);
  const payload = JSON.parse((event!.payload as { payload_json: string }).payload_json);
  expect(payload).toMatchObject({ action_id: command.name, trigger_id: triggerId });
  expect(payload).not.toHaveProperty('message_id');
  const respond = (body: object) =>
    harness.api.call('POST', `/api/v1/bot/interactions/${id}/respond`, { token: command.bot.token, body });
  expect((await respond({ update_message: { text: 'x' } })).body.code).toBe('no_original');
  expect((await respond({ send_message: { text: 'Polled' } })).status).toBe(200);
  expect(await texts()).toEqual(['Polled']);
});

test('the trigger stays unused, and the response token of the submission posts in the conversation', async () => {
  const { modal_token: token, trigger_id: triggerId } = await invoke();
  answers({});
  await submit(token);
  const late = { token: command.bot.token, body: { send_message: { text: 'Late' } } };
  expect(
    (await harness.api.call('POST', `/api/v1/bot/responses/${asked().response_token}`, late)).status,
  ).toBe(200);
  expect(await texts()).toEqual(['Late']);
  const used = 'SELECT 1 FROM slash_triggers WHERE id = $1 AND used_at IS NOT NULL';
  expect(await harness.api.db.query(used, [triggerId])).toEqual([]);
});

test('the trigger opens one modal later, once and only for its bot', async () => {
  answers({ response_type: 'ephemeral', text: 'Working on it' });
  const { trigger_id: triggerId } = await invoke();
  const open = (token: string): Promise<TestAnswer> => {
    const body = { trigger_id: triggerId, modal: MODAL };
    return harness.api.call('POST', '/api/v1/bot/modals', { token, body });
  };
  expect((await open((await harness.command()).bot.token)).body.code).toBe('trigger_of_another_bot');
  const stream = await EventStreamClient.open(
    `${harness.api.url}/api/v1/client/stream`,
    harness.person.token,
  );
  const { modal_id: id } = (await open(command.bot.token)).body;
  await stream.until(({ events }) => events.some(({ event }) => event === 'modal.open'));
  const shown: any = stream.events.find(({ event }) => event === 'modal.open');
  stream.close();
  expect(shown).toMatchObject({ action_id: command.name, conversation_id: channel, modal: MODAL });
  expect((await open(command.bot.token)).body.code).toBe('trigger_used');
  answers({ send_message: { text: 'Because' } });
  expect((await submit(shown.modal_token)).body).toMatchObject({ result: 'send_message' });
  expect(asked()).toMatchObject({ modal_id: id, trigger_id: triggerId, action_id: command.name });
});

test('an expired trigger of a command opens nothing', async () => {
  answers({});
  const { trigger_id: triggerId } = await invoke();
  await harness.api.db.query('UPDATE slash_triggers SET expires_at = now() WHERE id = $1', [triggerId]);
  const body = { trigger_id: triggerId, modal: MODAL };
  const late = await harness.api.call('POST', '/api/v1/bot/modals', { token: command.bot.token, body });
  expect([late.status, late.body.code]).toEqual([410, 'trigger_expired']);
});

test('a command in a thread is answered there', async () => {
  const root = await harness.fixture.chat.post(channel, { id: harness.person.id, type: 'user' }, 'root');
  const { modal_token: token } = await invoke({ thread_id: root.messageId });
  answers({ send_message: { text: 'In the thread' } });
  await submit(token);
  expect(asked()).toMatchObject({ thread_id: root.messageId });
  expect(await harness.messages(channel, root.messageId)).toMatchObject([{ text: 'In the thread' }]);
});

test('only the person who ran the command can submit, while they are a member and nothing is archived', async () => {
  const { modal_token: token } = await invoke();
  const ben = await harness.fixture.space.person('member', 'Ben');
  expect((await submit(token, ben.token)).status).toBe(403);
  await harness.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect((await submit(token)).body.code).toBe('conversation_archived');
});

test('after the command is deleted a submission gets 503', async () => {
  const { modal_token: token } = await invoke();
  await harness.manage('DELETE', command.bot, { name: command.id });
  expect((await submit(token)).status).toBe(503);
});

test.each([
  ['a modal that is none', { open_modal: 'x' }],
  ['a list', { open_modal: [] }],
  ['a modal and a text', { open_modal: MODAL, text: 'x' }],
  ['an invalid validated modal', { open_modal: { ...MODAL, validate: true, fields: [] } }],
])('%s is a bad answer', async (_, body) => {
  answers(body);
  expect(await invoke()).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
});

describe('a validated modal', () => {
  const VALIDATED = {
    ...{ validate: true, title: 'Why now?', private_metadata: 'ticket 7', notify_on_close: true },
    fields: [
      { id: 'why', type: 'text', label: 'Why', max_length: 1 },
      { id: 'version', type: 'select', label: 'Version', options_from: 'bot' },
    ],
  };
  const { private_metadata: _, ...SHOWN } = VALIDATED;
  const use = (token: string, action: string, body: object = {}): Promise<TestAnswer> =>
    harness.api.call('POST', `/api/v1/client/modals/${token}/${action}`, {
      token: harness.person.token,
      body,
    });
  let token: string;
  beforeEach(async () => {
    answers({ open_modal: VALIDATED });
    const opened = await invoke();
    expect(opened.modal).toEqual(SHOWN);
    token = opened.modal_token;
    harness.receiver.requests.length = 0;
  });

  test('is checked against its definition, and the command’s callback can keep it open', async () => {
    expect((await use(token, 'submit', { values: { why: 'because' } })).body.errors).toEqual({
      why: 'Must have at most 1 character.',
    });
    expect(harness.receiver.requests).toEqual([]);
    answers({ errors: { why: 'No.' } });
    expect((await submit(token)).body).toMatchObject({ result: 'errors', modal_token: token });
    expect(asked()).toMatchObject({ private_metadata: 'ticket 7', trigger_id: expect.any(String) });
    answers({ push_modal: VALIDATED });
    const { body: pushed } = await submit(token);
    expect(pushed).toMatchObject({ result: 'push_modal', modal: SHOWN });
    expect((await submit(token)).status).toBe(409);
    answers({ send_message: { text: 'Done' } });
    expect((await submit(pushed.modal_token)).body.result).toBe('send_message');
    expect(asked()).toMatchObject({ action_id: command.name, trigger_id: expect.any(String) });
  });

  test('sends closing and option requests to the command’s callback', async () => {
    answers({ choices: [{ name: 'One', value: '1' }] });
    const { body } = await use(token, 'options', { field: 'version', typed: '' });
    expect(body.choices).toEqual([{ name: 'One', value: '1' }]);
    expect(asked()).toMatchObject({ event_type: 'modal.options', trigger_id: expect.any(String) });
    expect((await use(token, 'close')).body).toEqual({ ok: true });
    expect(asked()).toMatchObject({ event_type: 'modal.closed', action_id: command.name });
    expect(harness.receiver.requests.map(({ url }) => url)).toEqual(['/slash', '/slash']);
  });
});
