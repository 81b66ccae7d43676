import { createECDH } from 'node:crypto';
import { TEST_ENVIRONMENT } from '@tieline/testing';
import { call, expectOk, Tieline } from './tieline.js';
import type { Answer } from './tieline.js';

/*
 * Every endpoint is tried with tokens that have no business there: of another bot or person of the space, of another
 * space, revoked, disabled, of the wrong kind. Nothing may be answered of what isn't theirs, and nothing may change.
 * The list of endpoints is the OpenAPI document's, so that a new endpoint without a row here fails.
 */

/** What belongs to the victim: bot `a` of space A, and the owner of space A. */
interface Victims {
  channel: string;
  message: string;
  file: string;
  run: string;
  task: string;
  freeTrigger: string;
  owner: string;
  member: string;
  bot: string;
  subscription: string;
  delivery: string;
  notice: string;
  /** Of a click on the message's button, and that button's token. */
  interaction: string;
  signedToken: string;
  /** An incoming webhook. */
  hook: string;
  /** The owner's, for pushes. */
  device: string;
  /** Name of a slash command. */
  command: string;
  commandId: string;
}

interface Row {
  /** Values of the path's parameters, in order. */
  ids?: (keyof Victims)[];
  query?: string;
  body?: (victims: Victims) => object;
  /** Of a call about the caller's own that makes something. */
  made?: true;
  /** What a token of the same space without rights here gets, and one of another space; none: the endpoint is about the caller's own (200). */
  near?: number;
  far?: number;
}

/** Of a browser. */
const PUSH_KEYS = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) };
const deviceAt = (place: string): object => ({ endpoint: `https://push.example/${place}`, keys: PUSH_KEYS });
const BUTTON = JSON.stringify({
  version: 1,
  blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: 'go', text: 'Go' }] }],
});
const NOBODY = '0192f0c5-7e07-7cc3-b98a-3f1e2a5c0d11';

const BOT_ROWS: Record<string, Row> = {
  'GET /api/v1/bot/me': {},
  'PATCH /api/v1/bot/me': { body: () => ({ display_name: 'mine' }) },
  'POST /api/v1/bot/webhook/rotate_secret': {},
  'GET /api/v1/bot/events': {},
  'GET /api/v1/bot/stream': {},
  'POST /api/v1/bot/dm': { body: ({ member }) => ({ user_id: member }), far: 400 },
  'POST /api/v1/bot/conversations/{id}/join': { ids: ['channel'], near: 403, far: 400 },
  'GET /api/v1/channels/{conversation_id}/messages': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/bot/messages': {
    body: ({ channel }) => ({ conversation_id: channel, content: 'forged' }),
    near: 403,
    far: 403,
  },
  'PATCH /api/v1/bot/messages/{message_id}': {
    ids: ['message'],
    body: () => ({ content: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/files/upload_sessions': {
    body: ({ channel }) => ({
      conversation_id: channel,
      file_name: 'a.txt',
      file_size: 1,
      mime_type: 'text/plain',
    }),
    near: 403,
    far: 403,
  },
  'POST /api/v1/bot/files/{file_id}/confirm': {
    ids: ['file'],
    body: ({ channel }) => ({ conversation_id: channel }),
    near: 404,
    far: 404,
  },
  'GET /api/v1/bot/files/{file_id}/download_url': {
    ids: ['file'],
    query: 'conversation_id={channel}',
    near: 404,
    far: 404,
  },
  'POST /api/v1/bot/agent_runs': {
    body: ({ channel, freeTrigger }) => ({
      idempotency_key: 'theirs',
      conversation_id: channel,
      trigger_message_id: freeTrigger,
    }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/agent_runs/{run_id}': { ids: ['run'], near: 404, far: 404 },
  'PATCH /api/v1/bot/agent_runs/{run_id}': {
    ids: ['run'],
    body: () => ({ status: 'queued', sequence: 50 }),
    near: 404,
    far: 404,
  },
  'POST /api/v1/bot/agent_runs/{run_id}/cancel': { ids: ['run'], near: 404, far: 404 },
  'POST /api/v1/bot/execution_tasks': {
    body: ({ channel }) => ({ idempotency_key: 'theirs', conversation_id: channel }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bot/execution_tasks/{widget_id}': { ids: ['task'], near: 403, far: 404 },
  'PATCH /api/v1/bot/execution_tasks/{widget_id}': {
    ids: ['task'],
    body: () => ({ action: 'complete', sequence: 1 }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bot/execution_tasks/{widget_id}/cancel': { ids: ['task'], near: 403, far: 404 },
  'GET /api/v1/bot/interactive_config': {},
  'PATCH /api/v1/bot/interactive_config': { body: () => ({ callback_url: 'https://receiver.example/' }) },
  'POST /api/v1/bot/interactive_config/rotate_secret': {},
  'DELETE /api/v1/bot/interactive_config': {},
  'POST /api/v1/bot/interactions/{interaction_id}/respond': {
    ids: ['interaction'],
    body: () => ({ noop: true }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/bots/{bot_id}/commands': {
    ids: ['bot'],
    body: () => ({ name: 'theirs' }),
    near: 403,
    far: 403,
  },
  'GET /api/v1/bots/{bot_id}/commands': { ids: ['bot'], near: 403, far: 403 },
  'DELETE /api/v1/bots/{bot_id}/commands/{name}': { ids: ['bot', 'command'], near: 403, far: 403 },
};

const CLIENT_ROWS: Record<string, Row> = {
  'GET /api/v1/client/me': {},
  'PATCH /api/v1/client/me': { body: () => ({ display_name: 'mine' }) },
  'GET /api/v1/client/conversations': {},
  'POST /api/v1/client/conversations': {
    body: ({ member }) => ({ name: 'theirs', is_public: false, member_ids: [member] }),
    far: 400,
  },
  'GET /api/v1/client/conversations/{id}': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/join': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/leave': { ids: ['channel'], far: 404 },
  'POST /api/v1/client/conversations/{id}/archive': { ids: ['channel'], near: 403, far: 404 },
  'POST /api/v1/client/conversations/{id}/members': {
    ids: ['channel'],
    body: ({ bot }) => ({ member_id: bot }),
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/client/conversations/{id}/members/{member_id}': {
    ids: ['channel', 'bot'],
    near: 403,
    far: 404,
  },
  'PUT /api/v1/client/conversations/{id}/mute': {
    ids: ['channel'],
    body: () => ({ muted: true }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/conversations/{id}/messages': {
    ids: ['channel'],
    body: () => ({ text: 'forged' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/dm': { body: ({ member }) => ({ user_id: member }), far: 400 },
  'PATCH /api/v1/client/messages/{id}': {
    ids: ['message'],
    body: () => ({ text: 'forged' }),
    near: 403,
    far: 404,
  },
  'DELETE /api/v1/client/messages/{id}': { ids: ['message'], near: 403, far: 404 },
  'PUT /api/v1/client/messages/{id}/reactions/{emoji}': { ids: ['message', 'member'], near: 403, far: 404 },
  'DELETE /api/v1/client/messages/{id}/reactions/{emoji}': {
    ids: ['message', 'member'],
    near: 403,
    far: 404,
  },
  'GET /api/v1/client/commands': {},
  'POST /api/v1/client/conversations/{id}/commands': {
    ids: ['channel'],
    body: () => ({ text: '/deploy now' }),
    near: 403,
    far: 404,
  },
  'GET /api/v1/client/notifications': {},
  'GET /api/v1/client/push_key': {},
  'POST /api/v1/client/push_subscriptions': { body: () => deviceAt('1') },
  'GET /api/v1/client/push_subscriptions': {},
  'DELETE /api/v1/client/push_subscriptions/{id}': { ids: ['device'], near: 404, far: 404 },
  'POST /api/v1/client/messages/{id}/interactions': {
    ids: ['message'],
    body: ({ signedToken }) => ({ action_id: 'go', signed_token: signedToken }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/modals/{modal_token}/submit': {
    ids: ['notice'],
    body: () => ({ values: {} }),
    near: 404,
    far: 404,
  },
  'GET /api/v1/client/stream': {},
  'PUT /api/v1/client/focus': { body: ({ channel }) => ({ conversation_id: channel }), near: 403, far: 404 },
  'GET /api/v1/client/files/{file_id}/download_url': { ids: ['file'], near: 403, far: 404 },
  'GET /api/v1/client/execution_tasks/{widget_id}': { ids: ['task'], near: 403, far: 404 },
  'POST /api/v1/client/execution_tasks/{widget_id}/review': {
    ids: ['task'],
    body: () => ({ decision: 'accepted' }),
    near: 403,
    far: 404,
  },
  'POST /api/v1/client/execution_tasks/{widget_id}/close': { ids: ['task'], near: 403, far: 404 },
};

const ADMIN_ROWS: Record<string, Row> = {
  'POST /api/v1/admin/users': { made: true, body: () => ({ display_name: 'mine', role: 'member' }) },
  'GET /api/v1/admin/users': {},
  'PATCH /api/v1/admin/users/{id}': { ids: ['member'], body: () => ({ role: 'guest' }), far: 404 },
  'POST /api/v1/admin/users/{id}/regenerate_token': { ids: ['member'], far: 404 },
  'POST /api/v1/admin/bots': {
    body: ({ channel }) => ({ display_name: 'mine', channel_ids: [channel] }),
    far: 400,
  },
  'GET /api/v1/admin/bots': {},
  'GET /api/v1/admin/bots/{id}': { ids: ['bot'], far: 404 },
  'PATCH /api/v1/admin/bots/{id}': { ids: ['bot'], body: () => ({ display_name: 'forged' }), far: 404 },
  'DELETE /api/v1/admin/bots/{id}': { ids: ['bot'], far: 404 },
  'POST /api/v1/admin/bots/{id}/regenerate_token': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/deliveries': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/commands': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/commands': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/commands/{command_id}': { ids: ['bot', 'commandId'], far: 404 },
  'GET /api/v1/admin/bots/{id}/interactive_config': { ids: ['bot'], far: 404 },
  'DELETE /api/v1/admin/bots/{id}/interactive_config': { ids: ['bot'], far: 404 },
  'GET /api/v1/admin/bots/{id}/callbacks': { ids: ['bot'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks': {
    body: ({ channel }) => ({ name: 'mine', conversation_id: channel }),
    far: 400,
  },
  'GET /api/v1/admin/incoming_webhooks': {},
  'GET /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], far: 404 },
  'PATCH /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], body: () => ({ name: 'forged' }), far: 404 },
  'DELETE /api/v1/admin/incoming_webhooks/{id}': { ids: ['hook'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks/{id}/regenerate_token': { ids: ['hook'], far: 404 },
  'POST /api/v1/admin/incoming_webhooks/{id}/rotate_secret': { ids: ['hook'], far: 404 },
  'GET /api/v1/admin/incoming_webhooks/{id}/requests': { ids: ['hook'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks': {
    body: ({ channel }) => ({
      name: 'mine',
      url: 'https://receiver.example/',
      event_types: ['MESSAGE_CREATED'],
      channel_ids: [channel],
    }),
    far: 400,
  },
  'GET /api/v1/admin/outgoing_webhooks': {},
  'GET /api/v1/admin/outgoing_webhooks/{id}': { ids: ['subscription'], far: 404 },
  'PATCH /api/v1/admin/outgoing_webhooks/{id}': {
    ids: ['subscription'],
    body: () => ({ name: 'forged' }),
    far: 404,
  },
  'DELETE /api/v1/admin/outgoing_webhooks/{id}': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/test': { ids: ['subscription'], far: 404 },
  'POST /api/v1/admin/outgoing_webhooks/{id}/rotate_secret': { ids: ['subscription'], far: 404 },
  'GET /api/v1/admin/outgoing_webhooks/{id}/deliveries': { ids: ['subscription'], far: 404 },
  'GET /api/v1/admin/deliveries/{id}': { ids: ['delivery'], far: 404 },
  'POST /api/v1/admin/deliveries/{id}/redeliver': { ids: ['delivery'], far: 404 },
  'GET /api/v1/admin/notices': {},
  'POST /api/v1/admin/notices/{id}/dismiss': { ids: ['notice'], far: 404 },
  'GET /api/v1/admin/audit_log': {},
};

const OPERATOR_ROWS: Record<string, Row> = {
  'POST /api/v1/operator/spaces': { made: true, body: () => ({ name: 'mine' }) },
  'GET /api/v1/operator/spaces': {},
  'PATCH /api/v1/operator/spaces/{id}': { ids: ['owner'], body: () => ({ name: 'forged' }) },
  'POST /api/v1/operator/spaces/{space_id}/users/{id}/regenerate_token': { ids: ['owner', 'owner'] },
};

let tieline: Tieline;
let api: { url: string };
let operations: string[];
let victims: Victims;
let victimToken: string, ownerToken: string;
/** Bots: of the same space, of another one; and tokens that are no longer good. */
let nearBot: string, farBot: string, revokedBot: string, disabledBot: string;
/** People: an outsider of the same space, the owner of another one; and tokens that are no longer good. */
let nearPerson: string, farOwner: string, revokedPerson: string, deactivated: string;

beforeAll(async () => {
  tieline = await Tieline.create();
  api = await tieline.start('api');
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as {
    paths: Record<string, object>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  await furnish();
});
afterAll(() => tieline?.close());

async function furnish(): Promise<void> {
  const spaceA = await expectOk(
    call(api, 'POST', '/api/v1/operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, {
      name: 'A',
      plan: 'enterprise',
    }),
  );
  const spaceB = await expectOk(
    call(api, 'POST', '/api/v1/operator/spaces', TEST_ENVIRONMENT.OPERATOR_TOKEN, {
      name: 'B',
      plan: 'enterprise',
    }),
  );
  ownerToken = spaceA.owner_token as string;
  farOwner = spaceB.owner_token as string;
  const owner = (path: string, body?: object): Promise<Record<string, any>> =>
    expectOk(call(api, 'POST', `/api/v1/${path}`, ownerToken, body));
  const makeBot = async (token: string, more: object = {}): Promise<{ id: string; token: string }> => {
    const made = await expectOk(
      call(api, 'POST', '/api/v1/admin/bots', token, {
        display_name: 'bot',
        event_delivery_mode: 'poll',
        ...more,
      }),
    );
    return { id: made.bot.id as string, token: made.token as string };
  };
  const victim = await makeBot(ownerToken);
  victimToken = victim.token;
  nearBot = (await makeBot(ownerToken)).token;
  farBot = (await makeBot(farOwner)).token;
  const revoked = await makeBot(ownerToken);
  revokedBot = revoked.token;
  await owner(`admin/bots/${revoked.id}/regenerate_token`);
  disabledBot = (await makeBot(ownerToken, { is_active: false })).token;

  const member = await owner('admin/users', { display_name: 'Member', role: 'member' });
  nearPerson = (await owner('admin/users', { display_name: 'Outsider', role: 'member' })).token as string;
  const lost = await owner('admin/users', { display_name: 'Lost', role: 'admin' });
  revokedPerson = lost.token as string;
  await owner(`admin/users/${lost.user.id}/regenerate_token`);
  const left = await owner('admin/users', { display_name: 'Left', role: 'admin' });
  deactivated = left.token as string;
  await expectOk(call(api, 'PATCH', `/api/v1/admin/users/${left.user.id}`, ownerToken, { is_active: false }));

  const { conversation } = await owner('client/conversations', {
    name: 'secret',
    is_public: false,
    member_ids: [member.user.id, victim.id],
  });
  const channel = conversation.id as string;
  const say = async (text: string): Promise<string> =>
    (await owner(`client/conversations/${channel}/messages`, { text })).message_id as string;
  const bot = (path: string, body?: object): Promise<Record<string, any>> =>
    expectOk(call(api, 'POST', `/api/v1/bot/${path}`, victimToken, body));
  const file = await readyFile(channel);
  const device = await owner('client/push_subscriptions', deviceAt('victim'));
  const message = (
    await bot('messages', {
      conversation_id: channel,
      content: 'mine',
      attachments: [{ file_id: file }],
      metadata_json: BUTTON,
    })
  ).message_id as string;
  const { messages } = await expectOk(call(api, 'GET', `/api/v1/channels/${channel}/messages`, ownerToken));
  const shown =
    (messages as { id: string; metadata_json?: string }[]).find(({ id }) => id === message)?.metadata_json ??
    '';
  const signedToken = /"signed_token":"([^"]+)"/.exec(shown)?.[1] ?? '';
  const click = await owner(`client/messages/${message}/interactions`, {
    action_id: 'go',
    signed_token: signedToken,
  });
  const hook = await owner('admin/incoming_webhooks', { name: 'mine', conversation_id: channel });
  const { command } = await expectOk(
    call(api, 'POST', `/api/v1/bots/${victim.id}/commands`, victimToken, { name: 'deploy' }),
  );
  const run = await bot('agent_runs', {
    idempotency_key: 'run',
    conversation_id: channel,
    trigger_message_id: await say('trigger'),
  });
  const task = await bot('execution_tasks', { idempotency_key: 'task', conversation_id: channel });
  const subscription = await owner('admin/outgoing_webhooks', {
    name: 'mine',
    url: 'https://receiver.example/',
    event_types: ['MESSAGE_CREATED'],
  });
  const delivery = await owner(`admin/outgoing_webhooks/${subscription.subscription.id}/test`);
  victims = {
    channel,
    message,
    file,
    command: 'deploy',
    commandId: command.id as string,
    device: device.id as string,
    interaction: click.interaction_id as string,
    signedToken,
    hook: hook.webhook.id as string,
    run: run.agent_run.id,
    task: task.execution_task.widget_id,
    freeTrigger: await say('another trigger'),
    owner: spaceA.owner.id,
    member: member.user.id,
    bot: victim.id,
    subscription: subscription.subscription.id,
    delivery: delivery.delivery_id,
    notice: NOBODY,
  };
}

async function readyFile(channel: string): Promise<string> {
  const session = await expectOk(
    call(api, 'POST', '/api/v1/bot/files/upload_sessions', victimToken, {
      conversation_id: channel,
      file_name: 'a.txt',
      file_size: 2,
      mime_type: 'text/plain',
    }),
  );
  const { file_id: fileId, upload_url: url, method, headers } = session.upload;
  expect((await fetch(url, { method, headers, body: 'hi' })).ok).toBe(true);
  await expectOk(
    call(api, 'POST', `/api/v1/bot/files/${fileId}/confirm`, victimToken, { conversation_id: channel }),
  );
  return fileId as string;
}

/** Tries an endpoint. A stream is left as soon as its head is there. */
async function attempt(name: string, row: Row, token: string | undefined): Promise<Answer> {
  const [method, template] = name.split(' ') as [string, string];
  const ids = [...(row.ids ?? [])];
  const path = template.replaceAll(/\{\w+\}/g, () => victims[ids.shift() as keyof Victims]);
  const query = row.query?.replaceAll(/\{(\w+)\}/g, (_all, id: keyof Victims) => victims[id]);
  const url = query === undefined ? path : `${path}?${query}`;
  if (token !== undefined && !template.endsWith('/stream'))
    return call(api, method, url, token, row.body?.(victims));
  const response = await fetch(`${api.url}${url}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(row.body && { 'content-type': 'application/json' }),
    },
    body: row.body && JSON.stringify(row.body(victims)),
  });
  if (response.ok) {
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, body: {} };
  }
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, any>,
  };
}

/** Everything of the victim that an intruder could have changed. */
async function stateOf(): Promise<unknown> {
  const read = async (token: string, path: string): Promise<unknown> =>
    (await expectOk(call(api, 'GET', `/api/v1/${path}`, token))) as unknown;
  return {
    history: await read(victimToken, `channels/${victims.channel}/messages`),
    run: await read(victimToken, `bot/agent_runs/${victims.run}`),
    task: await read(victimToken, `bot/execution_tasks/${victims.task}`),
    me: await read(victimToken, 'bot/me'),
    channel: await read(ownerToken, `client/conversations/${victims.channel}`),
    hooks: await read(ownerToken, 'admin/incoming_webhooks'),
    subscription: await read(ownerToken, `admin/outgoing_webhooks/${victims.subscription}`),
    deliveries: await read(ownerToken, `admin/outgoing_webhooks/${victims.subscription}/deliveries`),
    users: await read(ownerToken, 'admin/users'),
    commands: await read(victimToken, `bots/${victims.bot}/commands`),
    interactive: await read(victimToken, 'bot/interactive_config'),
    files: await tieline.sql
      .query('SELECT file_id, status FROM (SELECT id AS file_id, status FROM files ORDER BY id) AS all_files')
      .then(({ rows }) => rows as unknown),
  };
}

const rowsFor = (prefix: RegExp): string[] => operations.filter((name) => prefix.test(name)).sort();
/** An error in full: those of files have their text alone. */
const shapeOf = (name: string, error: string, code: string): object =>
  name.includes('/api/v1/bot/files') ? { error } : { ok: false, error, code };

const answered = async (...request: Parameters<typeof attempt>) =>
  attempt(...request).then(({ status, body }) => ({ status, body }));

test('every endpoint has its row', () => {
  expect(Object.keys(BOT_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/(bot|bots|channels)\//));
  expect(Object.keys(CLIENT_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/client\//));
  expect(Object.keys(ADMIN_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/admin\//));
  expect(Object.keys(OPERATOR_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/operator\//));
});

describe.each(Object.entries(BOT_ROWS))('bot: %s', (name, row) => {
  test('a revoked, a disabled, a made-up token and none at all are 401', async () => {
    const invalid = shapeOf(name, 'invalid or revoked token', 'invalid_token');
    for (const token of [revokedBot, disabledBot, 'tlb_made-up'])
      expect(await answered(name, row, token)).toEqual({ status: 401, body: invalid });
    // Where the capability of a task is accepted, an unknown one is gone (decisions, section 6).
    expect(await answered(name, row, 'tlc_made-up')).toEqual(
      name.includes('/execution_tasks/{widget_id}')
        ? { status: 410, body: shapeOf(name, 'capability expired or unknown', 'capability_gone') }
        : { status: 401, body: invalid },
    );
    const missing = shapeOf(name, 'missing authorization header', 'missing_authorization');
    expect(await answered(name, row, undefined)).toEqual({ status: 401, body: missing });
  });

  test('a person is no bot, and the code says so', async () => {
    if (name.includes('/channels/'))
      return expect((await attempt(name, row, nearPerson)).status).toBe(row.near);
    const body = shapeOf(name, 'invalid or revoked token', 'token_of_a_person');
    return expect(await answered(name, row, ownerToken)).toEqual({ status: 401, body });
  });

  test('other bots, of the space and of another one, get and change nothing of it', async () => {
    await expectIntruders(name, row, nearBot, farBot);
  });
});

describe.each(Object.entries(CLIENT_ROWS))('client: %s', (name, row) => {
  test('a revoked, a deactivated and a bot’s token are refused', async () => {
    for (const token of [revokedPerson, deactivated, 'tlu_made-up'])
      expect((await attempt(name, row, token)).status).toBe(401);
    expect((await attempt(name, row, victimToken)).status).toBe(403);
  });

  test('an outsider of the space and the owner of another one get and change nothing of it', async () => {
    await expectIntruders(name, row, nearPerson, farOwner);
  });
});

describe.each(Object.entries(ADMIN_ROWS))('admin: %s', (name, row) => {
  test('revoked and deactivated tokens are 401; members and bots 403', async () => {
    for (const token of [revokedPerson, deactivated, 'tlu_made-up'])
      expect((await attempt(name, row, token)).status).toBe(401);
    for (const token of [nearPerson, victimToken]) expect((await attempt(name, row, token)).status).toBe(403);
  });

  test('the owner of another space gets and changes nothing of it', async () => {
    await expectIntruders(name, { ...row, near: undefined }, undefined, farOwner);
  });
});

test.each(Object.entries(OPERATOR_ROWS))('operator: %s is for the operator alone', async (name, row) => {
  for (const token of [ownerToken, victimToken, revokedBot, 'made-up'])
    expect((await attempt(name, row, token)).status).toBe(401);
});

/** Tries with both intruders; what they are answered names nothing of the victim's, and nothing has changed. */
async function expectIntruders(name: string, row: Row, near: string | undefined, far: string): Promise<void> {
  const before = await stateOf();
  const tried = {
    near: near === undefined ? undefined : await attempt(name, row, near),
    far: await attempt(name, row, far),
  };
  for (const side of ['near', 'far'] as const) {
    const answer = tried[side];
    if (!answer) continue;
    expect([side, answer.status]).toEqual([side, row[side] ?? (row.made ? 201 : 200)]);
    if (answer.status < 300)
      expectNothingOf(
        answer,
        side === 'far'
          ? Object.values(victims)
          : [victims.channel, victims.message, victims.file, victims.run, victims.task],
      );
  }
  expect(withoutNewPeople(await stateOf())).toEqual(withoutNewPeople(before));
}

function expectNothingOf(answer: Answer, ids: string[]): void {
  const text = JSON.stringify(answer.body);
  expect(ids.filter((id) => id !== NOBODY && text.includes(id))).toEqual([]);
}

/** An outsider may rename itself. */
function withoutNewPeople(state: unknown): unknown {
  return JSON.parse(
    JSON.stringify(state).replaceAll('"display_name":"mine"', '"display_name":"Outsider"'),
  ) as unknown;
}
