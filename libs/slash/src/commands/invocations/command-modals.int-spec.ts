import { InteractiveModule } from '@tieline/interactive';
import { verifyVersioned } from '@tieline/signing';
import type { TestAnswer } from '@tieline/spaces/testing';
import { SlashRig } from '../../testing/index.js';
import type { SeededCommand } from '../../testing/index.js';

const MODAL = { title: 'Why now?', fields: [{ id: 'why', type: 'text', label: 'Why' }] };

let rig: SlashRig;
let command: SeededCommand;
let channel: string;
beforeAll(async () => {
  rig = await SlashRig.start({}, [InteractiveModule]);
});
beforeEach(async () => {
  rig.receiver.requests.length = 0;
  rig.receiver.respond({ status: 200, body: { open_modal: MODAL } });
  command = await rig.command();
  channel = await rig.channel();
});
afterAll(() => rig?.close());

const invoke = async (more: Parameters<SlashRig['invoke']>[2] = {}): Promise<any> =>
  (await rig.invoke(channel, `/${command.name}`, more)).body;
const submit = (token: string, as = rig.person.token): Promise<TestAnswer> =>
  rig.api.call('POST', `/api/v1/client/modals/${token}/submit`, {
    token: as,
    body: { values: { why: 'x' } },
  });
const asked = (): any => JSON.parse(rig.receiver.requests.at(-1)!.body.toString());
const texts = async (): Promise<string[]> => (await rig.messages(channel)).map(({ text }) => text);
const answers = (body: object): void => rig.receiver.respond({ status: 200, body });

test('a command opens a modal; its submit goes to the command’s callback, signed with its secret', async () => {
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
    space_id: rig.fixture.space.spaceId,
    actor_user_id: rig.person.id,
    conversation_id: channel,
    action_id: command.name,
    trigger_id: opened.trigger_id,
    values: { why: 'x' },
    occurred_at: expect.any(String),
    response_token: expect.stringMatching(/^tlr_/),
    response_url: expect.any(String),
  });
  const { url, headers, body } = rig.receiver.requests.at(-1)!;
  expect(url).toBe('/slash');
  const signature = String(headers['x-service-signature']);
  expect(verifyVersioned(command.secret, String(headers['x-service-timestamp']), body, signature)).toBe(true);
  expect(await texts()).toEqual(['Because']);
  expect((await submit(opened.modal_token)).status).toBe(410);
});

test('with an interactive callback the submit goes there', async () => {
  await rig.api.call('PATCH', '/api/v1/bot/interactive_config', {
    token: command.bot.token,
    body: { callback_url: `${rig.receiver.url}/clicks` },
  });
  const { modal_token: token } = await invoke();
  answers({ ephemeral_text: 'Noted' });
  expect((await submit(token)).body).toMatchObject({ result: 'ephemeral', ephemeral_text: 'Noted' });
  expect(rig.receiver.requests.at(-1)!.url).toBe('/clicks');
});

test('there is no message to update: a bad answer, and the form may be sent again', async () => {
  const { modal_token: token } = await invoke();
  answers({ update_message: { text: 'x' } });
  expect((await submit(token)).status).toBe(503);
  answers({});
  expect((await submit(token)).body.result).toBe('noop');
});

test('a bot that polls by then answers through its queue', async () => {
  const { modal_token: token, trigger_id: triggerId } = await invoke();
  await rig.api.call('PATCH', '/api/v1/bot/me', {
    token: command.bot.token,
    body: { event_delivery_mode: 'poll' },
  });
  const { interaction_id: id } = (await submit(token)).body;
  const event = (await rig.fixture.chat.events()).findLast(({ eventId }) => eventId === id);
  const payload = JSON.parse((event!.payload as { payload_json: string }).payload_json);
  expect(payload).toMatchObject({ action_id: command.name, trigger_id: triggerId });
  expect(payload).not.toHaveProperty('message_id');
  const respond = (body: object) =>
    rig.api.call('POST', `/api/v1/bot/interactions/${id}/respond`, { token: command.bot.token, body });
  expect((await respond({ update_message: { text: 'x' } })).body.code).toBe('no_original');
  expect((await respond({ send_message: { text: 'Polled' } })).status).toBe(200);
  expect(await texts()).toEqual(['Polled']);
});

test('the trigger is left, and the response token of the submit posts where the command was given', async () => {
  const { modal_token: token, trigger_id: triggerId } = await invoke();
  answers({});
  await submit(token);
  const late = { token: command.bot.token, body: { send_message: { text: 'Late' } } };
  expect((await rig.api.call('POST', `/api/v1/bot/responses/${asked().response_token}`, late)).status).toBe(
    200,
  );
  expect(await texts()).toEqual(['Late']);
  const used = 'SELECT 1 FROM slash_triggers WHERE id = $1 AND used_at IS NOT NULL';
  expect(await rig.api.db.query(used, [triggerId])).toEqual([]);
});

test('given in a thread it is answered there', async () => {
  const root = await rig.fixture.chat.post(channel, { id: rig.person.id, type: 'user' }, 'root');
  const { modal_token: token } = await invoke({ thread_id: root.messageId });
  answers({ send_message: { text: 'In the thread' } });
  await submit(token);
  expect(asked()).toMatchObject({ thread_id: root.messageId });
  expect(await rig.messages(channel, root.messageId)).toMatchObject([{ text: 'In the thread' }]);
});

test('the form is for the person who gave the command, as long as they are a member and nothing is archived', async () => {
  const { modal_token: token } = await invoke();
  const ben = await rig.fixture.space.person('member', 'Ben');
  expect((await submit(token, ben.token)).status).toBe(403);
  await rig.api.db.query('UPDATE conversations SET archived_at = now() WHERE id = $1', [channel]);
  expect((await submit(token)).body.code).toBe('conversation_archived');
});

test('once the command is gone there is nobody to submit to: 503', async () => {
  const { modal_token: token } = await invoke();
  await rig.manage('DELETE', command.bot, { name: command.id });
  expect((await submit(token)).status).toBe(503);
});

test.each([
  ['a modal that is none', { open_modal: 'x' }],
  ['a list', { open_modal: [] }],
  ['a modal and a text', { open_modal: MODAL, text: 'x' }],
  ['a judged modal that breaks its rules', { open_modal: { ...MODAL, validate: true, fields: [] } }],
])('%s is a bad answer', async (_, body) => {
  answers(body);
  expect(await invoke()).toMatchObject({
    result: 'ephemeral',
    text: 'Robot sent an answer that Tieline could not read.',
  });
});

describe('a judged one', () => {
  const JUDGED = {
    ...{ validate: true, title: 'Why now?', private_metadata: 'ticket 7', notify_on_close: true },
    fields: [
      { id: 'why', type: 'text', label: 'Why', max_length: 1 },
      { id: 'version', type: 'select', label: 'Version', options_from: 'bot' },
    ],
  };
  const { private_metadata: _, ...SHOWN } = JUDGED;
  const use = (token: string, action: string, body: object = {}): Promise<TestAnswer> =>
    rig.api.call('POST', `/api/v1/client/modals/${token}/${action}`, { token: rig.person.token, body });
  let token: string;
  beforeEach(async () => {
    answers({ open_modal: JUDGED });
    const opened = await invoke();
    expect(opened.modal).toEqual(SHOWN);
    token = opened.modal_token;
    rig.receiver.requests.length = 0;
  });

  test('is held to its definition, and stays open where the command’s callback says so', async () => {
    expect((await use(token, 'submit', { values: { why: 'because' } })).body.errors).toEqual({
      why: 'Must have at most 1 character.',
    });
    expect(rig.receiver.requests).toEqual([]);
    answers({ errors: { why: 'No.' } });
    expect((await submit(token)).body).toMatchObject({ result: 'errors', modal_token: token });
    expect(asked()).toMatchObject({ private_metadata: 'ticket 7', trigger_id: expect.any(String) });
    answers({ push_modal: JUDGED });
    const { body: pushed } = await submit(token);
    expect(pushed).toMatchObject({ result: 'push_modal', modal: SHOWN });
    expect((await submit(token)).status).toBe(409);
    answers({ send_message: { text: 'Done' } });
    expect((await submit(pushed.modal_token)).body.result).toBe('send_message');
    expect(asked()).toMatchObject({ action_id: command.name, trigger_id: expect.any(String) });
  });

  test('is closed, and asked about, at the command’s callback', async () => {
    answers({ choices: [{ name: 'One', value: '1' }] });
    const { body } = await use(token, 'options', { field: 'version', typed: '' });
    expect(body.choices).toEqual([{ name: 'One', value: '1' }]);
    expect(asked()).toMatchObject({ event_type: 'modal.options', trigger_id: expect.any(String) });
    expect((await use(token, 'close')).body).toEqual({ ok: true });
    expect(asked()).toMatchObject({ event_type: 'modal.closed', action_id: command.name });
    expect(rig.receiver.requests.map(({ url }) => url)).toEqual(['/slash', '/slash']);
  });
});
