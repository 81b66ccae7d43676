import { createECDH } from 'node:crypto';
import { eventually, TEST_ENVIRONMENT } from '@tieline/testing';
import type { AppProcess } from '@tieline/testing';
import { requestApp } from '../apps/app-flow.js';
import { call, expectOk, createWorkspace, Tieline } from '../tieline.js';
import type { Workspace } from '../tieline.js';

/*
 * Every write by admins, the operator and portal links creates an entry in the space's audit log.
 * The endpoints come from the OpenAPI document, so that a new one fails unless it is tested here or
 * listed below.
 */

/** Writes without an entry, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  signInAsOperator: 'of no space: a line in the log of the api, and the list of sessions',
  signOutAsOperator: 'of no space: the session leaves the list',
  endSessionAsOperator: 'of no space: the session leaves the list',
};

/** Reads of other people's data: one entry per hour for each actor, action and object. */
const READINGS: Readonly<Record<string, string>> = {
  getDeliveryAsAdmin: 'outgoing_webhook.deliveries_read',
  getPortalDelivery: 'outgoing_webhook.deliveries_read_by_link',
  listBotCallbacksAsAdmin: 'bot.callbacks_read',
  listBotEventsAsAdmin: 'bot.events_read',
  listIncomingRequestsAsAdmin: 'incoming_webhook.requests_read',
  getLimitsAsOperator: 'space.limits_read',
  listUsersAsOperator: 'space.people_read',
};

const WRITTEN = /^(post|patch|put|delete)$/;
const SECRET = 'qUeRy-SeCrEt';

let tieline: Tieline;
let api: AppProcess;
let workspace: Workspace;
/** `POST /api/v1/admin/bots` by `createBotAsAdmin`. */
const routes = new Map<string, { method: string; path: string }>();
const tried = new Set<string>();

beforeAll(async () => {
  tieline = await Tieline.create();
  api = await tieline.start('api');
  await tieline.start('worker');
  workspace = await createWorkspace(api);
  const document = (await (await fetch(`${api.url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { operationId }] of Object.entries(methods))
      if (/\/(admin|operator|portal)\//.test(path)) routes.set(operationId, { method, path });
});
afterAll(() => tieline?.close());

interface Entry {
  action: string;
  actor_type: string;
  ip: string | null;
  changes: object;
}

const entriesOf = async (token: string): Promise<Entry[]> =>
  (await expectOk(call(api, 'GET', '/api/v1/admin/audit_log?limit=200', token))).entries as Entry[];

/** Calls an operation with these path parameters. */
function perform(operation: string, ids: string[] = [], body?: object): Promise<Record<string, any>> {
  const route = routes.get(operation);
  if (!route) throw new Error(`the document has no ${operation}`);
  tried.add(operation);
  const left = [...ids];
  const path = route.path.replaceAll(/\{\w+\}/g, () => left.shift() as string);
  const isOperators = path.includes('/operator/');
  const token = isOperators ? TEST_ENVIRONMENT.OPERATOR_TOKEN : workspace.ownerToken;
  return expectOk(call(api, route.method.toUpperCase(), path, token, body));
}

/** Calls an operation and expects exactly these entries, from this address. */
async function expectEntry(
  operation: string,
  actions: string | string[],
  ids?: string[],
  body?: object,
): Promise<Record<string, any>> {
  const before = (await entriesOf(workspace.ownerToken)).length;
  const answer = await perform(operation, ids, body);
  const all = await entriesOf(workspace.ownerToken);
  const made = all.slice(0, all.length - before);
  expect([operation, made.map(({ action, ip }) => [action, ip])]).toEqual([
    operation,
    [actions].flat().map((action) => [action, '127.0.0.1']),
  ]);
  return answer;
}

async function writePeople(): Promise<void> {
  await expectEntry('updateSpaceAsAdmin', 'space.updated', [], { bots_see_emails: true });
  const person = { display_name: 'Ada', role: 'member' };
  const { user } = await expectEntry('createUserAsAdmin', 'user.created', [], person);
  await expectEntry('updateUserAsAdmin', 'user.updated', [user.id], { role: 'guest' });
  await expectEntry('regenerateUserTokenAsAdmin', 'user.token_regenerated', [user.id]);
  await expectEntry('createInviteAsAdmin', 'user.invited', [user.id]);
  await expectEntry('revokeInviteAsAdmin', 'user.invite_revoked', [user.id]);
  const { spaceId } = workspace;
  await expectEntry('regenerateUserTokenAsOperator', 'user.token_regenerated', [spaceId, user.id]);
  await expectEntry('updateSpaceAsOperator', 'space.updated', [spaceId], { name: 'Globex' });
  const made = await perform('createSpaceAsOperator', [], { name: 'Other' });
  expect((await entriesOf(made.owner_token as string)).map(({ action }) => action)).toContain(
    'space.created',
  );
  const { rows } = await tieline.sql.query<{ id: string }>(
    `INSERT INTO notices (space_id, id, kind, object_type, object_id, text)
     VALUES ($1, gen_random_uuid(), 'x', 'bot', gen_random_uuid(), 'x') RETURNING id`,
    [spaceId],
  );
  await expectEntry('dismissNoticeAsAdmin', 'notice.dismissed', [rows[0]?.id as string]);
}

async function writeBots(): Promise<void> {
  const wanted = { display_name: 'Deployer', event_delivery_mode: 'poll' };
  const { bot, token } = await expectEntry('createBotAsAdmin', 'bot.created', [], wanted);
  const id = bot.id as string;
  await expectEntry('updateBotAsAdmin', 'bot.updated', [id], { display_name: 'Shipper' });
  await expectEntry('testClickAsAdmin', 'bot.click_tested', [id]);
  const callback = { callback_url: `https://93.184.215.14/clicks?key=${SECRET}` };
  await expectEntry('updateInteractiveConfigAsAdmin', 'bot.interactive_configured', [id], callback);
  await expectEntry('rotateInteractiveSecretAsAdmin', 'bot.interactive_secret_rotated', [id]);
  await expectEntry('deleteInteractiveConfigAsAdmin', 'bot.interactive_disabled', [id]);
  await expectEntry('setShortcutsAsAdmin', 'bot.shortcuts_changed', [id], {
    shortcuts: [{ callback_id: 'new', name: 'New', type: 'global' }],
  });
  for (const name of ['deploy', 'ship'])
    await expectOk(call(api, 'POST', `/api/v1/bots/${id}/commands`, token, { name }));
  const { commands } = await perform('listCommandsAsAdmin', [id]);
  await expectEntry('deleteCommandAsAdmin', 'slash_command.deleted', [id, commands[0].id]);
  await expectEntry('deleteCommandsAsAdmin', 'slash_command.deleted', [id]);
  await expectEntry('listBotEventsAsAdmin', 'bot.events_read', [id]);
  await expectEntry('listBotEventsAsAdmin', [], [id]);
  await expectEntry('listBotCallbacksAsAdmin', 'bot.callbacks_read', [id]);
  await expectEntry('listBotCallbacksAsAdmin', [], [id]);
  await expectEntry('regenerateBotTokenAsAdmin', 'bot.token_regenerated', [id]);
  await expectEntry('deleteBotAsAdmin', 'bot.deleted', [id]);
}

async function writeApprovals(): Promise<void> {
  const { botToken, ownerToken, channels } = workspace;
  const options = [{ id: 'always', label: 'Always', kind: 'approve_always' }];
  const asked = { conversation_id: channels[0], title: 'Deploy?', tool: 'deploy', options };
  const { approval } = await expectOk(call(api, 'POST', '/api/v1/bot/approvals', botToken, asked));
  const path = `/api/v1/client/approvals/${approval.id}/decide`;
  const decided = await expectOk(call(api, 'POST', path, ownerToken, { option_id: 'always' }));
  await expectEntry('deleteApprovalRuleAsAdmin', 'approval_rule.deleted', [
    decided.approval.rule_id as string,
  ]);
}

async function writeApps(): Promise<void> {
  const { ownerToken: adminToken } = workspace;
  const { token: memberToken } = await perform('createUserAsAdmin', [], {
    display_name: 'Eve',
    role: 'member',
  });
  const wanted = { name: 'Deploys', redirect_uris: ['https://app.example/callback'] };
  const { app: one } = await expectEntry('createAppAsAdmin', 'app.created', [], wanted);
  const id = one.id as string;
  const settings = { bot_scopes: ['messages:write'], user_scopes: ['messages:read'], distribution: 'listed' };
  const manifest = { name: 'From a manifest' };
  await expectEntry('createAppFromManifestAsAdmin', 'app.created', [], { manifest });
  const changed = { name: 'Changed', redirect_uris: wanted.redirect_uris };
  await expectEntry('updateAppFromManifestAsAdmin', 'app.updated', [id], { manifest: changed });
  await expectEntry('updateAppAsAdmin', 'app.updated', [id], settings);
  await expectEntry('rotateClientSecretAsAdmin', 'app.client_secret_rotated', [id]);
  await expectEntry('updateAppAsOperator', 'app.listed', [id], { listed: true });
  const app = { id, clientId: one.client_id as string };
  const asked = { app, memberToken: memberToken as string, adminToken };
  await expectEntry('denyAppRequestAsAdmin', 'app.request_denied', [await requestApp(api, asked)]);
  const approved = ['app.request_approved', 'app.installed', 'bot.created'];
  await expectEntry('approveAppRequestAsAdmin', approved, [await requestApp(api, asked)]);
  const { installations } = await perform('listInstallationsAsAdmin');
  const uninstalled = ['app.uninstalled', 'bot.updated'];
  await expectEntry('deleteInstallationAsAdmin', uninstalled, [installations[0].id as string]);
  await expectEntry('deleteAppAsAdmin', 'app.deleted', [id]);
}

async function writeIncoming(): Promise<void> {
  const wanted = { name: 'CI', conversation_id: workspace.channels[0] };
  const { webhook } = await expectEntry(
    'createIncomingWebhookAsAdmin',
    'incoming_webhook.created',
    [],
    wanted,
  );
  const ids = [webhook.id as string];
  await expectEntry('updateIncomingWebhookAsAdmin', 'incoming_webhook.updated', ids, { name: 'Builds' });
  await expectEntry('regenerateIncomingWebhookTokenAsAdmin', 'incoming_webhook.token_regenerated', ids);
  await expectEntry('rotateIncomingWebhookSecretAsAdmin', 'incoming_webhook.secret_rotated', ids);
  await expectEntry('listIncomingRequestsAsAdmin', 'incoming_webhook.requests_read', ids);
  await expectEntry('listIncomingRequestsAsAdmin', [], ids);
  await expectEntry('deleteIncomingWebhookAsAdmin', 'incoming_webhook.deleted', ids);
}

async function writeOutgoing(): Promise<void> {
  const receiver = await tieline.receiver();
  const wanted = { name: 'All', url: `${receiver.url}/?key=${SECRET}`, event_types: ['MESSAGE_CREATED'] };
  const hook = (what: string): string => `outgoing_webhook.${what}`;
  const { subscription } = await expectEntry('createOutgoingWebhookAsAdmin', hook('created'), [], wanted);
  const ids = [subscription.id as string];
  await expectEntry('updateOutgoingWebhookAsAdmin', hook('updated'), ids, { name: 'Everything' });
  const { delivery_id: sent } = await expectEntry('testOutgoingWebhookAsAdmin', hook('tested'), ids);
  await expectEntry('redeliverDeliveryAsAdmin', hook('redelivered'), [sent]);
  await expectEntry('getDeliveryAsAdmin', hook('deliveries_read'), [sent]);
  await expectEntry('getDeliveryAsAdmin', [], [sent]);
  const link = await expectEntry('createPortalLinkAsAdmin', hook('portal_link_made'), ids);
  const token = new URL(link.url as string).pathname.split('/').at(-1) as string;
  const { delivery_id: tested } = await expectEntry('testPortalSubscription', hook('tested_by_link'), [
    token,
  ]);
  await expectEntry('redeliverPortalDelivery', hook('redelivered_by_link'), [token, tested]);
  await expectEntry('getPortalDelivery', hook('deliveries_read_by_link'), [token, tested]);
  await expectEntry('getPortalDelivery', [], [token, tested]);
  const since = { since: new Date(Date.now() - 3_600_000).toISOString(), only: 'all' };
  const begun = await expectEntry('recoverDeliveriesAsAdmin', hook('recovery_started'), ids, since);
  // It may finish before it can be cancelled; the cancel then changes nothing.
  await tieline.sql.query(`UPDATE outgoing_recoveries SET state = 'running' WHERE id = $1`, [
    begun.recovery.id,
  ]);
  await expectEntry('cancelRecoveryAsAdmin', hook('recovery_cancelled'), [begun.recovery.id]);
  await expectEntry('rotateOutgoingWebhookSecretAsAdmin', hook('secret_rotated'), ids);
  await expectEntry('deleteOutgoingWebhookAsAdmin', hook('deleted'), ids);
}

test('every write of admins, the operator and portal links is in the audit log, and reads once per hour', async () => {
  await writePeople();
  await writeBots();
  await writeApprovals();
  await writeApps();
  await writeIncoming();
  await writeOutgoing();
  const { spaceId } = workspace;
  await expectEntry('listUsersAsOperator', 'space.people_read', [spaceId]);
  await expectEntry('listUsersAsOperator', [], [spaceId]);
  await expectEntry('getLimitsAsOperator', 'space.limits_read', [spaceId]);
  await expectEntry('getLimitsAsOperator', [], [spaceId]);

  const writes = [...routes].filter(([, { method }]) => WRITTEN.test(method)).map(([name]) => name);
  expect(writes.filter((name) => !tried.has(name) && !(name in EXCEPTIONS))).toEqual([]);
  expect(Object.keys(EXCEPTIONS).filter((name) => !writes.includes(name))).toEqual([]);
  expect(Object.keys(READINGS).filter((name) => !tried.has(name))).toEqual([]);
  expect(JSON.stringify(await entriesOf(workspace.ownerToken))).not.toContain(SECRET);
});

test('membership changes of private channels and of devices are in the audit log, those of public channels are not', async () => {
  const { ownerToken, botId } = workspace;
  const { user } = await expectOk(call(api, 'GET', '/api/v1/client/me', ownerToken));
  const userId = user.id as string;
  const did = async (method: string, path: string, body?: object) => {
    const before = (await entriesOf(ownerToken)).length;
    const answer = await expectOk(call(api, method, `/api/v1/client/${path}`, ownerToken, body));
    const all = await entriesOf(ownerToken);
    return { answer, made: all.slice(0, all.length - before).map(({ action }) => action) };
  };
  const create = (isPublic: boolean, memberIds: string[] = []) =>
    did('POST', 'conversations', {
      name: `c-${isPublic}`,
      is_public: isPublic,
      member_ids: [...memberIds, userId],
    });
  const channel = async (isPublic: boolean): Promise<string> =>
    (await create(isPublic)).answer.conversation.id as string;
  const [open, closed] = [await channel(true), await channel(false)];
  expect((await create(true, [botId])).made).toEqual([]);
  expect((await create(false, [botId])).made).toEqual(['conversation.member_added']);
  for (const [id, added, removed] of [
    [open, [], []],
    [closed, ['conversation.member_added'], ['conversation.member_removed']],
  ] as const) {
    const members = `conversations/${id}/members`;
    expect((await did('POST', members, { member_id: botId })).made).toEqual(added);
    expect((await did('POST', members, { member_id: botId })).made).toEqual([]);
    expect((await did('DELETE', `${members}/${botId}`)).made).toEqual(removed);
    expect((await did('POST', `conversations/${id}/leave`)).made).toEqual(removed);
    expect((await did('POST', `conversations/${id}/leave`)).made).toEqual([]);
  }

  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: 'A'.repeat(22),
  };
  const device = { endpoint: `https://93.184.215.14/push?key=${SECRET}`, keys };
  const added = await did('POST', 'push_subscriptions', device);
  expect(added.made).toEqual(['push_subscription.added']);
  // Browsers register the same device each time.
  expect((await did('POST', 'push_subscriptions', device)).made).toEqual([]);
  expect((await did('DELETE', `push_subscriptions/${added.answer.id}`)).made).toEqual([
    'push_subscription.removed',
  ]);
  expect(JSON.stringify(await entriesOf(ownerToken))).not.toContain(SECRET);
});

test('failed sign-ins and operator sign-ins are logged with the address but without the secret', async () => {
  const signIn = (who: string, token: string): Promise<Response> =>
    fetch(`${api.url}/api/v1/${who}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token }),
    });
  const before = await tieline.sql.query('SELECT FROM audit_log');
  expect((await signIn('client', `tlu_${SECRET}`)).status).toBe(401);
  expect((await signIn('operator', SECRET)).status).toBe(401);
  expect((await signIn('operator', TEST_ENVIRONMENT.OPERATOR_TOKEN)).status).toBe(201);
  await eventually(() => {
    for (const line of ['failed sign-in', 'wrong operator token', 'the operator signed in'])
      expect(
        api
          .output()
          .split('\n')
          .find((one) => one.includes(line)),
      ).toContain('127.0.0.1');
  });
  expect(api.output()).not.toContain(SECRET);
  expect((await tieline.sql.query('SELECT FROM audit_log')).rowCount).toBe(before.rowCount);
});

test('the operator’s reads of spaces and sessions are logged once per hour', async () => {
  for (const list of ['spaces', 'sessions'])
    for (let n = 0; n < 2; n += 1)
      await expectOk(call(api, 'GET', `/api/v1/operator/${list}`, TEST_ENVIRONMENT.OPERATOR_TOKEN));
  for (const list of ['spaces', 'sessions']) {
    const line = `the operator listed the ${list} from 127.0.0.1`;
    await eventually(() => expect(api.output().split(line)).toHaveLength(2));
  }
});
