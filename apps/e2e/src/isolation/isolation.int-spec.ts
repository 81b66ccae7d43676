import { TEST_ENVIRONMENT } from '@tieline/testing';
import {
  ADMIN_ROWS as ROWS_OF_ADMINS,
  BOT_ROWS,
  BUTTON,
  CLIENT_ROWS,
  NOBODY,
  OPERATOR_ROWS,
  deviceAt,
} from './rows.js';
import type { Row, Victims } from './row.js';
import { OUTGOING_ROWS } from './rows-outgoing.js';
import { SIGN_IN_ROWS } from './rows-people.js';
import { createApp, requestApp, startAuthorization } from '../apps/app-flow.js';
import { call, expectOk, Tieline } from '../tieline.js';
import type { Answer } from '../tieline.js';

/*
 * Calls every endpoint with tokens that have no access: of another bot or person of the space, of
 * another space, revoked, disabled, of the wrong kind. Responses must not contain data of others,
 * and nothing may change. The endpoints come from the OpenAPI document, so that a new one without a
 * row here fails.
 */

const ADMIN_ROWS = { ...ROWS_OF_ADMINS, ...OUTGOING_ROWS };

let tieline: Tieline;
let api: { url: string };
let operations: string[];
let victims: Victims;
let victimToken: string, ownerToken: string;
/** Bots of the same space and of another one, and tokens that are no longer valid. */
let nearBot: string, farBot: string, revokedBot: string, disabledBot: string;
/**
 * People: an outsider of the same space, the owner of another one, and tokens that are no longer
 * valid.
 */
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
  const { response_token: token, trigger_id: trigger } = await polled(click.interaction_id as string);
  const opened = await bot('modals', { trigger_id: trigger, modal: { title: 'mine' } });
  const hook = await owner('admin/incoming_webhooks', { name: 'mine', conversation_id: channel });
  const { command } = await expectOk(
    call(api, 'POST', `/api/v1/bots/${victim.id}/commands`, victimToken, { name: 'deploy' }),
  );
  const { shortcuts } = await expectOk(
    call(api, 'PUT', '/api/v1/bot/shortcuts', victimToken, {
      shortcuts: [{ callback_id: 'mine', name: 'mine', type: 'message' }],
    }),
  );
  const run = await bot('agent_runs', {
    idempotency_key: 'run',
    conversation_id: channel,
    trigger_message_id: await say('trigger'),
  });
  const task = await bot('execution_tasks', { idempotency_key: 'task', conversation_id: channel });
  const options = [{ id: 'always', label: 'Always', kind: 'approve_always' }];
  const toAllow = { conversation_id: channel, title: 'mine', tool: 'deploy', options };
  const { approval: allowed } = await bot('approvals', toAllow);
  await owner(`client/approvals/${allowed.id}/decide`, { option_id: 'always' });
  const { approval } = await bot('approvals', { conversation_id: channel, title: 'mine' });
  const { approval_rules: rules } = await expectOk(
    call(api, 'GET', '/api/v1/admin/approval_rules', ownerToken),
  );
  const app = await createApp(api, ownerToken);
  const subscription = await owner('admin/outgoing_webhooks', {
    name: 'mine',
    url: 'https://receiver.example/',
    event_types: ['MESSAGE_CREATED'],
  });
  const delivery = await owner(`admin/outgoing_webhooks/${subscription.subscription.id}/test`);
  const { recovery } = await owner(`admin/outgoing_webhooks/${subscription.subscription.id}/recover`, {
    since: '2026-01-01T00:00:00Z',
    only: 'all',
  });
  victims = {
    channel,
    message,
    file,
    command: 'deploy',
    commandId: command.id as string,
    shortcut: shortcuts[0].id as string,
    device: device.id as string,
    session: await sessionOf(ownerToken),
    interaction: click.interaction_id as string,
    responseToken: token as string,
    trigger: trigger as string,
    modal: opened.modal_id as string,
    signedToken,
    hook: hook.webhook.id as string,
    run: run.agent_run.id,
    task: task.execution_task.widget_id,
    approval: approval.id,
    approvalRule: rules[0].id,
    app: app.id,
    interactionOfApp: await startAuthorization(api, app),
    appRequest: await requestApp(api, { app, memberToken: member.token as string, adminToken: ownerToken }),
    freeTrigger: await say('another trigger'),
    owner: spaceA.owner.id,
    member: member.user.id,
    bot: victim.id,
    subscription: subscription.subscription.id,
    delivery: delivery.delivery_id,
    recovery: recovery.id,
    notice: NOBODY,
  };
}

/** Signs a person in with a browser. */
async function sessionOf(token: string): Promise<string> {
  const body = JSON.stringify({ token });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${api.url}/api/v1/client/session`, { method: 'POST', headers, body })).ok).toBe(true);
  const { sessions } = await expectOk(call(api, 'GET', '/api/v1/client/sessions', token));
  return sessions[0].id as string;
}

/** Returns the click that the bot would poll. */
async function polled(eventId: string): Promise<Record<string, unknown>> {
  const { rows } = await tieline.sql.query<{ payload: string }>(
    'SELECT payload FROM outbox WHERE event_id = $1',
    [eventId],
  );
  const event = JSON.parse(rows[0]?.payload ?? '{}') as { payload_json: string };
  return JSON.parse(event.payload_json) as Record<string, unknown>;
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

/** Calls an endpoint. A stream is closed after its headers arrive. */
async function attempt(name: string, row: Row, token: string | undefined): Promise<Answer> {
  const [method, template] = name.split(' ') as [string, string];
  const ids = [...(row.ids ?? [])];
  // An emoji is not an id.
  const path = template.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    name === 'emoji' ? encodeURIComponent('👍') : victims[ids.shift() as keyof Victims],
  );
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

/** Returns everything of the victim that an intruder could have changed. */
async function stateOf(): Promise<unknown> {
  const read = async (token: string, path: string): Promise<unknown> =>
    (await expectOk(call(api, 'GET', `/api/v1/${path}`, token))) as unknown;
  return {
    history: await read(victimToken, `channels/${victims.channel}/messages`),
    run: await read(victimToken, `bot/agent_runs/${victims.run}`),
    task: await read(victimToken, `bot/execution_tasks/${victims.task}`),
    me: await read(victimToken, 'bot/me'),
    channel: await read(ownerToken, `client/conversations/${victims.channel}`),
    apps: await read(ownerToken, 'admin/apps'),
    appRequests: await read(ownerToken, 'admin/app_requests'),
    hooks: await read(ownerToken, 'admin/incoming_webhooks'),
    subscription: await read(ownerToken, `admin/outgoing_webhooks/${victims.subscription}`),
    deliveries: await read(ownerToken, `admin/outgoing_webhooks/${victims.subscription}/deliveries`),
    users: await read(ownerToken, 'admin/users'),
    sessions: await read(ownerToken, 'client/sessions'),
    commands: await read(victimToken, `bots/${victims.bot}/commands`),
    interactive: await read(victimToken, 'bot/interactive_config'),
    shortcuts: await read(victimToken, 'bot/shortcuts'),
    files: await tieline.sql
      .query('SELECT file_id, status FROM (SELECT id AS file_id, status FROM files ORDER BY id) AS all_files')
      .then(({ rows }) => rows as unknown),
  };
}

const rowsFor = (prefix: RegExp): string[] => operations.filter((name) => prefix.test(name)).sort();
/** Checks a complete error body; errors of files only have a text. */
const shapeOf = (name: string, error: string, code: string): object =>
  name.includes('/api/v1/bot/files') ? { error } : { ok: false, error, code };

const answered = async (...request: Parameters<typeof attempt>) =>
  attempt(...request).then(({ status, body }) => ({ status, body }));

test('every endpoint has a row', () => {
  expect(Object.keys(BOT_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/(bot|bots|channels)\//));
  expect(withSignIn(CLIENT_ROWS, 'client')).toEqual(rowsFor(/ \/api\/v1\/client\//));
  expect(Object.keys(ADMIN_ROWS).sort()).toEqual(rowsFor(/ \/api\/v1\/admin\//));
  expect(withSignIn(OPERATOR_ROWS, 'operator')).toEqual(rowsFor(/ \/api\/v1\/operator\//));
});

const withSignIn = (rows: Record<string, Row>, part: string): string[] =>
  [...Object.keys(rows), ...Object.keys(SIGN_IN_ROWS).filter((name) => name.includes(`/${part}/`))].sort();

test.each(Object.entries(SIGN_IN_ROWS))(
  '%s: a token in a header does not sign in, and an invalid one in the body gets 401',
  async (name, row) => {
    for (const token of [ownerToken, victimToken, TEST_ENVIRONMENT.OPERATOR_TOKEN, undefined]) {
      const { status, headers } = await attempt(name, row, token);
      expect([status, headers.get('set-cookie')]).toEqual([401, null]);
    }
  },
);

describe.each(Object.entries(BOT_ROWS))('bot: %s', (name, row) => {
  test('revoked, disabled, unknown and missing tokens get 401', async () => {
    const invalid = shapeOf(name, 'invalid or revoked token', 'invalid_token');
    for (const token of [revokedBot, disabledBot, 'tlb_made-up'])
      expect(await answered(name, row, token)).toEqual({ status: 401, body: invalid });
    // Where a task's capability is accepted, an unknown one gets 410.
    expect(await answered(name, row, 'tlc_made-up')).toEqual(
      name.includes('/execution_tasks/{widget_id}')
        ? { status: 410, body: shapeOf(name, 'capability expired or unknown', 'capability_gone') }
        : { status: 401, body: invalid },
    );
    const missing = shapeOf(name, 'missing authorization header', 'missing_authorization');
    expect(await answered(name, row, undefined)).toEqual({ status: 401, body: missing });
  });

  test('a person’s token is refused with its own code', async () => {
    if (name.includes('/channels/'))
      return expect((await attempt(name, row, nearPerson)).status).toBe(row.near);
    const body = shapeOf(name, 'invalid or revoked token', 'token_of_a_person');
    return expect(await answered(name, row, ownerToken)).toEqual({ status: 401, body });
  });

  test('other bots of the same and another space can read and change nothing', async () => {
    await expectIntruders(name, row, nearBot, farBot);
  });
});

describe.each(Object.entries(CLIENT_ROWS))('client: %s', (name, row) => {
  test('revoked, deactivated and bots’ tokens are refused', async () => {
    for (const token of [revokedPerson, deactivated, 'tlu_made-up'])
      expect((await attempt(name, row, token)).status).toBe(401);
    expect((await attempt(name, row, victimToken)).status).toBe(403);
  });

  test('an outsider of the space and the owner of another one can read and change nothing', async () => {
    await expectIntruders(name, row, nearPerson, farOwner);
  });
});

describe.each(Object.entries(ADMIN_ROWS))('admin: %s', (name, row) => {
  test('revoked and deactivated tokens get 401, members and bots 403', async () => {
    for (const token of [revokedPerson, deactivated, 'tlu_made-up'])
      expect((await attempt(name, row, token)).status).toBe(401);
    for (const token of [nearPerson, victimToken]) expect((await attempt(name, row, token)).status).toBe(403);
  });

  test('the owner of another space can read and change nothing', async () => {
    await expectIntruders(name, { ...row, near: undefined }, undefined, farOwner);
  });
});

test.each(Object.entries(OPERATOR_ROWS))('operator: only the operator can use %s', async (name, row) => {
  for (const token of [ownerToken, victimToken, revokedBot, 'made-up'])
    expect((await attempt(name, row, token)).status).toBe(401);
});

/**
 * Calls with both intruders. Responses must not name anything of the victim, and nothing may
 * change.
 */
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

function expectNothingOf(response: Answer, ids: string[]): void {
  const text = JSON.stringify(response.body);
  expect(ids.filter((id) => id !== NOBODY && text.includes(id))).toEqual([]);
}

/** Removes the outsider, who may rename themself. */
function withoutNewPeople(state: unknown): unknown {
  return JSON.parse(
    JSON.stringify(state).replaceAll('"display_name":"mine"', '"display_name":"Outsider"'),
  ) as unknown;
}
