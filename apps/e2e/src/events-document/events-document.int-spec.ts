import { APP_EVENTS } from '@tieline/apps';
import { DIRECT_EVENT_TYPES, SELECTED_BY_BOTS } from '@tieline/bots';
import { chatEvents } from '@tieline/conversations';
import { SENT_EVENT_TYPES } from '@tieline/sdk/api';
import { eventually } from '@tieline/testing';
import type { Receiver } from '@tieline/testing';
import { shareTieline } from '../share-tieline.js';
import { authorize, createApp } from '../apps/app-flow.js';
import { call } from '../tieline.js';
import { documentedExamples, rowsOfTypes, shapeOf, writeExamples } from './examples.js';
import { bodyOf, Scene } from './scene.js';

type Json = Record<string, any>;

const TYPES = chatEvents.all.map(({ event }) => event);
const BOT_TYPES = chatEvents.typesFor('bots', chatEvents.all);
const OWN_TYPES = SELECTED_BY_BOTS.map(({ event }) => event);

let scene: Scene;
/** Received events by the names of the document's examples. */
const arrived = new Map<string, Json>();

beforeAll(async () => {
  scene = await Scene.start(await shareTieline(), { all: TYPES, bots: [...BOT_TYPES, ...OWN_TYPES] });
  await talk();
  await answer();
  await fail();
  await stopRun();
  await decideApproval();
  await openDm();
  await changePerson();
  await useShortcutAndHome();
  await installApp();
  await answerPolled();
  await gatherPrivate();
  if (process.env.WRITE_EVENTS) writeExamples(arrived);
});
afterAll(() => scene?.close());

const ofType =
  (type: string) =>
  (body: Json): boolean =>
    body.event_type === type;
const heard = async (receiver: Receiver, wanted: (body: Json) => boolean): Promise<Json> =>
  bodyOf(await receiver.waitFor((request) => wanted(bodyOf(request))));

/** Causes every event of conversations, received by a subscription to all of them. */
async function talk(): Promise<void> {
  const { workspace, hooks } = scene;
  const channel = await scene.channel('releases');
  await scene.person('POST', 'admin/outgoing_webhooks', {
    name: 'with context',
    url: `${hooks.url}/context`,
    event_types: ['MESSAGE_CREATED'],
    trigger: 'keywords',
    trigger_config: { keywords: ['rollback'] },
    include_context: true,
  });
  const root = await scene.say(channel, `<@${workspace.botId}> deploy is done`);
  await scene.say(channel, 'Thanks!', { parent_message_id: root });
  await scene.person('PATCH', `client/messages/${root}`, {
    text: `<@${workspace.botId}> deploy is **done**`,
  });
  await scene.person('PUT', `client/messages/${root}/reactions/${encodeURIComponent('🎉')}`);
  await scene.person('DELETE', `client/messages/${root}/reactions/${encodeURIComponent('🎉')}`);
  const rollback = await scene.say(channel, 'A rollback is needed');
  await scene.person('DELETE', `client/messages/${rollback}`);
  await scene.person('DELETE', `client/conversations/${channel}/members/${workspace.botId}`);
  await scene.person('PATCH', `client/conversations/${channel}`, { topic: 'Release 4711' });
  await scene.person('POST', `client/conversations/${channel}/archive`);
  await scene.person('POST', `admin/outgoing_webhooks/${scene.subscriptionId}/test`);

  for (const type of BOT_TYPES) arrived.set(type, await heard(hooks, ofType(type)));
  const created = (text: string) => (body: Json) =>
    ofType('MESSAGE_CREATED')(body) && body.data.text.includes(text);
  arrived.set('MESSAGE_CREATED', await heard(hooks, created('deploy is done')));
  arrived.set('MESSAGE_CREATED in a thread', await heard(hooks, created('Thanks!')));
  arrived.set(
    'MESSAGE_CREATED with context',
    await heard(hooks, (body) => created('rollback')(body) && 'context' in body),
  );
  arrived.set('poll record', await eventually(() => recordOf(arrived.get('MESSAGE_CREATED'))));
  arrived.set('WEBHOOK_TEST', await heard(hooks, ofType('WEBHOOK_TEST')));
}

/** Returns the polling bot's record of an event. */
async function recordOf(event: Json | undefined): Promise<Json> {
  const record = (await scene.queue(scene.pollToken)).find(({ event_id: id }) => id === event?.event_id);
  if (!record) throw new Error(`there is no record of ${event?.event_type}`);
  return record;
}

/** Causes every callback: clicks, a form and a command. */
async function answer(): Promise<void> {
  const { callbacks, workspace } = scene;
  const callback = `${callbacks.url}/callback`;
  await scene.bot('PATCH', 'bot/interactive_config', { callback_url: callback });
  await scene.bot('POST', `bots/${workspace.botId}/commands`, { name: 'deploy', callback_url: callback });
  callbacks.respond((request) =>
    ofType('button.click')(bodyOf(request)) ? { body: { open_modal: FORM } } : { body: {} },
  );
  const click = await scene.card(String(workspace.channels[0]));
  const { modal_token: token } = await click('deploy');
  await scene.person('POST', `client/modals/${token}/submit`, { values: { reason: 'The fix is urgent' } });
  await click('stage', { selected_value: 'live' });
  const typed = { text: '/deploy api v1.4.2' };
  await scene.person('POST', `client/conversations/${workspace.channels[0]}/commands`, typed);
  const options = [{ name: 'version', type: 'string', autocomplete: true }];
  const ship = { name: 'ship', callback_url: callback, options };
  await scene.bot('POST', `bots/${workspace.botId}/commands`, ship);
  const typing = { command: 'ship', option: 'version', typed: 'v1.' };
  await scene.person('POST', `client/conversations/${workspace.channels[0]}/commands/options`, typing);
  await fillIn();
  for (const type of ['button.click', 'select.submit', ...MODALS, 'command.options'])
    arrived.set(type, await heard(callbacks, ofType(type)));
  arrived.set('slash.command', await heard(callbacks, (body) => 'command_id' in body));
}

/** Opens a validated form, requests options from the bot and closes it. */
async function fillIn(): Promise<void> {
  const { callbacks, workspace } = scene;
  const closable = { ...JUDGED_FORM, notify_on_close: true };
  callbacks.respond((request) =>
    ofType('button.click')(bodyOf(request)) ? { body: { open_modal: closable } } : { body: {} },
  );
  const click = await scene.card(String(workspace.channels[0]));
  const { modal_token: token } = await click('deploy');
  await scene.person('POST', `client/modals/${token}/options`, { field: 'version', typed: 'v1.' });
  await scene.person('POST', `client/modals/${token}/close`);
}

/** Makes ten callbacks in a row fail, which sends the admins a notice. */
async function fail(): Promise<void> {
  const { callbacks, hooks, workspace } = scene;
  const subscription = { name: 'notices', url: `${hooks.url}/notices`, event_types: ['NOTICE_CREATED'] };
  await scene.person('POST', 'admin/outgoing_webhooks', subscription);
  callbacks.respond(() => ({ status: 500 }));
  const path = `client/conversations/${workspace.channels[0]}/commands`;
  for (let n = 0; n < 10; n += 1) await scene.person('POST', path, { text: '/deploy' });
  arrived.set('NOTICE_CREATED', await heard(hooks, ofType('NOTICE_CREATED')));
  callbacks.respond(() => ({ body: {} }));
}

/** Decides an approval of the bot that events are pushed to. */
async function decideApproval(): Promise<void> {
  const channel = await scene.channel('deployments');
  const pushed = (path: string, body?: object): Promise<Json> =>
    scene.bot('POST', path, body, scene.pushToken);
  await pushed(`bot/conversations/${channel}/join`);
  const { approval } = await pushed('bot/approvals', {
    conversation_id: channel,
    title: 'Deploy v1.4.2 to production?',
    tool: 'deploy',
    arguments: { version: 'v1.4.2' },
    external_id: 'deploy-4711',
  });
  await scene.person('POST', `client/approvals/${approval.id}/decide`, {
    option_id: 'approve',
    comment: 'Tested on staging.',
  });
  for (const type of ['APPROVAL_REQUESTED', 'APPROVAL_DECIDED'])
    arrived.set(type, await heard(scene.hooks, ofType(type)));
  arrived.set('approval.decided', await heard(scene.pushes, ofType('approval.decided')));
}

/** Opens the direct chat of the bot that events are pushed to. */
async function openDm(): Promise<void> {
  const { conversation_id } = await scene.person('POST', 'client/dm', { user_id: scene.pushId });
  await scene.person('PUT', 'client/focus', { conversation_id });
  for (const type of ['DM_OPENED', 'ASSISTANT_THREAD_STARTED'])
    arrived.set(type, await heard(scene.pushes, ofType(type)));
}

/** Adds a person and gives them another name. */
async function changePerson(): Promise<void> {
  const { user } = await scene.person('POST', 'admin/users', { display_name: 'Ada' });
  await scene.person('PATCH', `admin/users/${user.id}`, { display_name: 'Ada Lovelace' });
  for (const type of ['USER_CREATED', 'USER_UPDATED'])
    arrived.set(type, await heard(scene.pushes, ofType(type)));
}

/** Installs an app, revokes its authorization and uninstalls it. */
async function installApp(): Promise<void> {
  const { api, pushes, workspace } = scene;
  const app = await createApp(api, workspace.ownerToken, { event_url: `${pushes.url}/app` });
  await authorize(api, app, workspace.ownerToken);
  const { authorizations } = await scene.person('GET', 'client/authorizations');
  await scene.person('DELETE', `client/authorizations/${authorizations[0].id}`);
  const { installations } = await scene.person('GET', 'admin/installations');
  await scene.person('DELETE', `admin/installations/${installations[0].id}`);
  for (const { event } of APP_EVENTS) arrived.set(event, await heard(pushes, ofType(event)));
}

/** Stops a run of the bot that events are pushed to. */
async function stopRun(): Promise<void> {
  const channel = await scene.channel('questions');
  const pushed = (method: string, path: string, body?: object): Promise<Json> =>
    scene.bot(method, path, body, scene.pushToken);
  await pushed('POST', `bot/conversations/${channel}/join`);
  const { agent_run: run } = await pushed('POST', 'bot/agent_runs', {
    conversation_id: channel,
    trigger_message_id: await scene.say(channel, 'Why did the build fail?'),
    idempotency_key: 'run',
  });
  await scene.person('POST', `client/agent_runs/${run.id}/stop`);
  arrived.set('agent_run.stop_requested', await heard(scene.pushes, ofType('agent_run.stop_requested')));
}

/** Uses a shortcut and the home of the bot that events are pushed to. */
async function useShortcutAndHome(): Promise<void> {
  const { pushes, pushToken, pushId } = scene;
  const message = await scene.say(await scene.channel('support'), 'The build fails');
  const { shortcuts } = await scene.bot(
    'PUT',
    'bot/shortcuts',
    { shortcuts: [{ callback_id: 'file_ticket', name: 'File as ticket', type: 'message' }] },
    pushToken,
  );
  await scene.person('POST', `client/shortcuts/${shortcuts[0].id}`, { message_id: message });
  arrived.set('shortcut.used', await heard(pushes, ofType('shortcut.used')));
  const text = (value: string) => ({ type: 'plain_text', text: value });
  const button = { type: 'button', action_id: 'start', text: text('Deploy'), value: 'v1.4.2' };
  const blocks = [{ type: 'section', block_id: 'deploy', text: text('v1.4.2'), accessory: button }];
  const { user } = await scene.person('GET', 'client/me');
  await scene.bot('PUT', `bot/homes/${user.id}`, { blocks }, pushToken);
  const { view } = await scene.person('GET', `client/bots/${pushId}/home`);
  const pressed = { block_id: 'deploy', action_id: 'start' };
  await scene.person('POST', `client/views/${view.id}/block_actions`, pressed);
  arrived.set('home.action', await heard(pushes, ofType('home.action')));
}

const MODALS = ['modal.submit', 'modal.closed', 'modal.options'];
const FORM = {
  title: 'Why now?',
  fields: [{ id: 'reason', type: 'text', label: 'Reason', required: true }],
  submit_label: 'Deploy',
};

const JUDGED_FORM = {
  ...{ validate: true, title: 'Which version?', private_metadata: 'build 4711' },
  fields: [{ id: 'version', type: 'select', label: 'Version', options_from: 'bot' }],
};

/** Causes the same events in poll mode, where answers reach the person on the stream. */
async function answerPolled(): Promise<void> {
  const { workspace, stream } = scene;
  await scene.bot('PATCH', 'bot/me', { event_delivery_mode: 'poll' });
  const click = await scene.card(String(workspace.channels[0]));
  const respond = ({ interaction_id: id }: Json, body: object) =>
    scene.bot('POST', `bot/interactions/${id}/respond`, body);
  await respond(await click('deploy'), { open_modal: FORM });
  await respond(await click('stage', { selected_value: 'live' }), { ephemeral_text: 'It will go live.' });
  await stream.until(({ events }) => events.some(({ event }) => event === 'modal.open'));
  const { modal_token: token } = stream.events.find(({ event }) => event === 'modal.open') as Json;
  await scene.person('POST', `client/modals/${token}/submit`, { values: { reason: 'The fix is urgent' } });
  const typed = { text: '/deploy api v1.4.2' };
  await scene.person('POST', `client/conversations/${workspace.channels[0]}/commands`, typed);
  const again = await scene.card(String(workspace.channels[0]));
  await respond(await again('deploy'), { open_modal: JUDGED_FORM });
  const opened = (): Json[] => stream.events.filter(({ event }) => event === 'modal.open') as Json[];
  await stream.until(() => opened().length === 2);
  const path = `client/modals/${opened()[1]?.modal_token}/submit`;
  const push = { ...JUDGED_FORM, title: 'Are you sure?' };
  for (const body of [
    { errors: { version: 'v1.4.1 was withdrawn.' } },
    { update_modal: JUDGED_FORM },
    { push_modal: push },
  ])
    await respond(await scene.person('POST', path, { values: { version: 'v1.4.1' } }), body);
}

/** Collects the events on the person's and the bot's own streams. */
async function gatherPrivate(): Promise<void> {
  const { workspace, stream, botStream } = scene;
  const conversation_id = workspace.channels[0];
  const { url } = await scene.person('POST', 'admin/incoming_webhooks', {
    name: 'Alerts',
    conversation_id,
    require_signature: false,
  });
  await fetch(url as string, { method: 'POST', headers: JSON_BODY, body: '{"text":"CPU of db1 is high"}' });
  await scene.bot('POST', 'bot/execution_tasks', {
    conversation_id,
    title: 'Quarterly report',
    idempotency_key: 'report-2026-12',
  });
  const status = { text: 'is searching the tickets', loading_messages: ['Reading 2024 …', 'Reading 2025 …'] };
  await scene.bot('PUT', `bot/conversations/${conversation_id}/status`, status);
  await scene.bot('DELETE', `bot/conversations/${conversation_id}/status`);
  await scene.bot('PUT', `bot/conversations/${conversation_id}/prompts`, {
    title: 'Ask about a release',
    prompts: [{ title: 'Release status', message: 'What is in release 4711?' }],
  });
  const { message_id: root } = await scene.bot('POST', 'bot/messages', {
    conversation_id,
    content: 'Which release?',
  });
  await scene.bot('PATCH', `bot/threads/${root}`, { title: 'Release 4711' });
  const { conversation_id: dm } = await scene.person('POST', 'client/dm', { user_id: workspace.botId });
  await scene.say(dm as string, 'Is build 4711 out?');
  await botStream.until(({ events }) => events.length > 0);
  arrived.set('bot stream message.new', botStream.events[0] as Json);
  for (const kind of LIVE) {
    await stream.until(({ events }) => events.some(({ event }) => event === kind));
    arrived.set(`stream ${kind}`, stream.events.find(({ event }) => event === kind) as Json);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };
const LIVE = [
  ...chatEvents.all.flatMap(({ streamName }) => streamName ?? []),
  'ephemeral',
  'modal.open',
  'modal.errors',
  'modal.update',
  'modal.push',
  'notification',
  'execution_task.updated',
  'bot.status',
  'bot.status_cleared',
  'bot.prompts',
  'thread.updated',
  'approval.created',
  'approval.updated',
];

test('the document shows exactly the events that were received', () => {
  expect([...documentedExamples().keys()].sort()).toEqual([...arrived.keys()].sort());
});

test('its examples have exactly the fields and types of the received events', () => {
  const documented = documentedExamples();
  for (const [name, value] of arrived)
    expect({ [name]: shapeOf(documented.get(name)) }).toEqual({ [name]: shapeOf(value) });
});

test('subscriptions can select exactly the documented types', async () => {
  const { body } = await call(scene.api, 'GET', '/api/openapi.json', '');
  const { enum: offered } = body.components.schemas.CreateOutgoingWebhookDto.properties.event_types.items;
  expect([...offered].sort()).toEqual([...TYPES, 'NOTICE_CREATED'].sort());
});

test('the document has an example of every type that is sent', () => {
  expect(SENT_EVENT_TYPES).toEqual(expect.arrayContaining([...TYPES, ...DIRECT_EVENT_TYPES]));
  expect([...documentedExamples().keys()]).toEqual(expect.arrayContaining([...SENT_EVENT_TYPES]));
});

test('its table says where every type arrives, and its name on streams', () => {
  const rows = rowsOfTypes();
  expect([...rows.keys()]).toEqual(expect.arrayContaining([...SENT_EVENT_TYPES]));
  for (const { event, streamName = '–' } of chatEvents.all)
    expect(rows.get(event)?.at(-1)).toContain(streamName);
});

test('a push has the same envelope, and a polled record its data', async () => {
  await eventually(() => expect(scene.pushes.requests.length).toBeGreaterThanOrEqual(BOT_TYPES.length));
  for (const type of BOT_TYPES) {
    const event = arrived.get(type) as Json;
    const pushed = await heard(scene.pushes, ({ event_id: id }) => id === event.event_id);
    expect(pushed).toEqual(event);
    const record = await recordOf(event);
    expect(shapeOf(record)).toEqual(shapeOf(documentedExamples().get('poll record')));
    expect(JSON.parse(record.payload_json)).toEqual(event.data);
  }
});

test('polled clicks, forms and commands equal the callbacks, plus interaction_id for the first three', async () => {
  const records = await scene.queue(scene.workspace.botToken);
  for (const type of ['button.click', 'select.submit', 'modal.submit', 'slash.command']) {
    const record = records.find(({ event_type: other }) => other === type);
    const { interaction_id: id, ...payload } = JSON.parse(record?.payload_json ?? '{}') as Json;
    expect({ type, shape: shapeOf(payload) }).toEqual({ type, shape: shapeOf(arrived.get(type)) });
    expect(typeof id).toBe(type === 'slash.command' ? 'undefined' : 'string');
  }
});
